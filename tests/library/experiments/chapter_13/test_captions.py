"""What the chapter shows of the captions' records is what they hold."""

import pytest

from transformer_lib.experiments import load_results
from transformer_lib.experiments.chapter_13 import captions


@pytest.mark.parametrize("name", ["multi30k", "multi30k-best", "multi30k-recurrent"])
def test_each_example_has_a_translation_of_the_first_seed(name):
    results = load_results(name)
    (run,) = (
        run
        for run in results.record.result["runs"]
        if run["seed"] == 0 and run["settings"]["direction"] == "de-en"
    )
    assert captions.translations(results) == run["result"]["best"]["translations"][:3], (
        "show the first captions in the record's order"
    )


def test_a_row_has_the_mean_over_the_seeds():
    row = captions.table_row("some", load_results("multi30k"), "de-en")
    assert len(row) == len(captions.HEAD), "give every column a cell"
    assert row[:4] == ["some", "5.6", "2,000", "3"], "the size, updates and seeds are the record's"
    assert row[4].startswith("38.0 (37.7"), "the score is the mean (least to greatest) of three seeds"
    assert row[5] == "1.6", "the half width is the mean over the seeds"
