"""The cells of right.py and wrong.py: what is read, and what an author's slip in them is told."""

from pathlib import Path

import pytest
from autograder.authoring.bank import read_answers
from autograder.authoring.spec import SpecificationError

WRONG = '''"""Named mistakes."""

# %% no_scale: attention without the scale: 1/sqrt(d_head)
# loses: values, large scores
import math


def attention(query):
    # %%% no cell, it is indented
    return query


# %% zeros: zeros
# loses: values
attention = 0
'''


def written(folder: Path, text: str, side: str = "wrong") -> Path:
    path = folder / f"{side}.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_cell_is_a_name_an_explanation_what_it_loses_and_code(tmp_path: Path) -> None:
    first, second = read_answers(written(tmp_path, WRONG), "01.1")
    assert (first.name, first.explanation) == ("no_scale", "attention without the scale: 1/sqrt(d_head)")
    assert (first.loses, first.line) == (("values", "large scores"), 3)
    assert first.source.startswith("import math\n\n\ndef") and first.source.endswith("    return query\n")
    assert (second.question, second.name, second.source) == ("01.1", "zeros", "attention = 0\n")
    assert str(second) == "wrong.py: zeros"


def test_no_file_has_no_answers(tmp_path: Path) -> None:
    assert read_answers(tmp_path / "right.py", "01.1") == []


@pytest.mark.parametrize(
    "old, new, line, told",
    [
        (
            "zeros: zeros",
            "zeros",
            13,
            "no name with an explanation after a colon; a cell begins like '# %% no_",
        ),
        ("zeros: zeros", "zeros:", 13, "no name with an explanation"),
        ("zeros: zeros", "", 13, "no name with an explanation"),
        ("zeros: zeros", "no zeros: zeros", 13, "no name with an explanation"),
        ("# loses: values\n", "", 13, "which parts zeros loses, like '# loses: values, mask'"),
        ("# loses: values\n", "# loses:\n", 13, "which parts zeros loses"),
        ("# loses: values\n", "# loses: values,\n", 13, "which parts zeros loses"),
        ("# %% zeros", "# %% no_scale", 13, "line 3 has the name 'no_scale' too"),
        ("attention = 0\n", "# 0\n", 13, "zeros has no code"),
        ("attention = 0", "attention = (0", 15, "is not Python"),
        ('."""\n', '."""\n\nx = 1\n', 3, "stands before the first cell; a cell begins like"),
    ],
)
def test_an_authors_slip_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, told: str
) -> None:
    assert WRONG.count(old) == 1
    with pytest.raises(SpecificationError) as caught:
        read_answers(written(tmp_path, WRONG.replace(old, new)), "01.1")
    assert f"wrong.py, line {line}: " in str(caught.value) and told in str(caught.value)


def test_a_right_answer_loses_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, "# %% seven: Seven.\n# loses: answer\nanswer = 7\n", "right")
    with pytest.raises(SpecificationError, match=r"right\.py, line 2: a right answer loses nothing"):
        read_answers(path, "01.1")
