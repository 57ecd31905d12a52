"""The page of results takes each of our numbers from a record."""

import re
import statistics
from pathlib import Path

import pytest
import results_page
from results_page import ROOT, Row, command_of, line_of, provenance, record_of, shown, speeds, tables

from tests.benchmarks.report import is_peer
from transformer_lib.experiments import EXPERIMENTS
from transformer_lib.experiments.running.results import Results, summary
from transformer_lib.training import Record, write_record

PAGE = results_page.ROOT / "book" / "results.md"
TABLES = re.findall(
    r"^:::\{results\} (.+)\n((?:.+\n)*?)^:::$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
)
ROWS = [Row.parse(line) for _, lines in TABLES for line in lines.splitlines()]
KNOWN = {one.name for each in EXPERIMENTS.values() for one in (each, each.gpu) if one is not None}


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(results_page, "RECORDS", tmp_path)
    return tmp_path


def write(path: Path, *runs: dict, **others) -> None:
    seeds = list(dict.fromkeys(run["seed"] for run in runs))
    values = {"config": {}, "data": {}, "minutes": 61.7, "curve": [], "command": ["python", "-m", "it"]}
    result = {"result": summary(list(runs))} if runs else {}
    write_record(path, Record.of_run(seeds=seeds, **{**values, **result, **others}))


def run(seed: int, kind: str, loss: float, **others: float) -> dict:
    return {"seed": seed, "settings": {"kind": kind}, "result": {"loss": {"test": loss}, **others}}


def test_every_result_on_the_page_is_in_its_record() -> None:
    for title, lines in TABLES:
        _, faults = tables(title, [Row.parse(line) for line in lines.splitlines()])
        assert faults == [], f"change the line in book/results.md: {faults}"


def test_every_line_names_an_experiment_that_there_is() -> None:
    assert {row.name for row in ROWS if not row.is_published} <= KNOWN, (
        "name experiments of the registry in the lines of book/results.md"
    )


def test_no_number_of_ours_is_typed_on_the_page() -> None:
    """Decimals stand in the lines of published figures alone."""
    typed = [
        line
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if re.search(r"\d\.\d", line) and not line.startswith("published |")
    ]
    assert typed == [], "take these numbers from records: write each as a line of the {results} table"


def test_every_published_figure_names_its_source() -> None:
    published = [row for row in ROWS if row.is_published]
    assert published and all(len(row.middle.split()) > 1 or "{cite" in row.middle for row in published), (
        "name a source in the last field of each published line of book/results.md"
    )


def test_every_size_of_an_experiment_that_has_a_record_is_on_the_page() -> None:
    named = {row.name for row in ROWS if not row.is_published}
    experiments = [EXPERIMENTS[name.removesuffix("-gpu")] for name in named]
    sizes = {one.name for each in experiments for one in (each, each.gpu) if one is not None}
    missing = {size for size in sizes if record_of(size) is not None} - named
    assert not missing, f"add the other size of the experiment to book/results.md: {missing}"


def test_a_result_over_seeds_is_a_mean_with_its_deviation(records: Path) -> None:
    write(
        records / "03_it.json",
        *(run(seed, kind, seed + (10 if kind == "b" else 20)) for seed in (0, 1) for kind in "ab"),
    )
    line = line_of(Row("it", "kind=b", "loss.test", "model", "ten passes"))
    assert line == "| **model** | 10.50 ± 0.71<br>2 seeds | ten passes<br>`it` |", (
        "write a result over seeds as mean, deviation and number of seeds: see line_of()"
    )
    with pytest.raises(ValueError, match="no number 'loss'"):
        line_of(Row("it", "kind=b", "loss", "model", ""))
    lines, (fault,) = tables("nats", [Row("it", "", "loss.test", "model", "")])
    assert fault.startswith("it: {} names no single condition") and lines[:2] == [
        "| model | nats | protocol, source |",
        "|---|---|---|",
    ], "say which condition is meant, and head the table all the same: see tables()"


def test_the_spread_over_the_test_items_is_shown_if_that_was_measured(records: Path) -> None:
    runs = [run(n, "a", 86.5, test=1.25 + n, test_half_width=0.43 + n / 100) for n in (0, 2)]
    write(records / "03_it.json", *runs)
    assert "items" not in line_of(Row("it", "", "loss.test", "model", "")), (
        "say nothing of the test items where they were not measured: see measured()"
    )
    assert "| 2.250 ± 1.414<br>2 seeds; ± 0.440 over the test items |" in line_of(
        Row("it", "", "test", "model", "")
    ), "show the mean half-width over the test items: see measured()"


def test_parameters_and_updates_come_from_the_record(records: Path) -> None:
    write(records / "03_it.json", run(0, "a", 1.0, parameters=5_556_224, steps=2000))
    line = line_of(Row("it", "", "loss.test", "model", "greedy"))
    assert "| greedy; 5.6 million parameters; 2,000 updates<br>" in line, (
        "take parameters and updates from the record: see protocol_of()"
    )


def test_a_published_line_has_its_protocol_and_its_source() -> None:
    row = Row.parse("published | 3.0 † | model | greedy | their paper")
    assert line_of(row) == "| model | 3.0 † | greedy<br>their paper |", (
        "write a published line as model, figure, protocol and source: see line_of()"
    )


def test_what_has_no_record_is_no_line_of_the_page_and_its_command_is_listed(records: Path) -> None:
    with pytest.raises(ValueError, match="no record of it yet"):
        line_of(Row("it-gpu", "", "test", "model", ""))
    assert provenance(["it-gpu", "it-gpu"])[2:] == [
        "| `python -m transformer_lib reproduce it --budget gpu` | *not yet run* |"
    ], "name each command once, with its budget: see provenance()"
    assert command_of("it") == "python -m transformer_lib reproduce it", (
        "name the command without a budget where it is the processor's: see command_of()"
    )
    assert speeds()[2:] == ["| `make bench` | *not yet run* |"], (
        "say 'not yet run' where there is no record: see speeds()"
    )


def test_every_experiment_is_listed_with_its_form_for_a_gpu() -> None:
    lines = results_page.reproducible()[2:]
    assert [line.split("`")[1] for line in lines] == list(EXPERIMENTS), (
        "list every experiment: see reproducible()"
    )
    with_gpu = sum("on a GPU: " in line for line in lines)
    assert with_gpu == sum(one.gpu is not None for one in EXPERIMENTS.values()), (
        "say of each form for a GPU how long it took, or that it has no record: see reproducible()"
    )


def test_a_record_says_its_command_minutes_processor_and_seeds(records: Path) -> None:
    other = {"processor": "P", "threads": 2, "device": "a GPU"}
    write(records / "03_it.json", run(0, "a", 1.0), run(3, "a", 1.0) | {"hardware": other})
    (row,) = provenance(["it"])[2:]
    assert row.startswith(
        "| `python -m transformer_lib reproduce it --seeds 0 3` | 62 minutes, seeds 0, 3<br>"
    ), "begin with command, minutes and seeds: see provenance()"
    assert "<br>P, threads 2, a GPU<br>commit " in row and row.count("threads") == 2, (
        "name each piece of hardware once: see provenance()"
    )


def test_the_readme_s_results_are_those_of_the_records() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, number, settings, unit in (
        ("multi30k-best", "best.bleu", {"direction": "de-en"}, "BLEU"),
        ("binarized-mnist-transformer", "test", {}, "nats"),
    ):
        values = Results(record_of(name)).values(number, **settings)
        seeds = "one seed" if len(values) == 1 else f"mean of {len(values)} seeds"
        assert f"{statistics.fmean(values):.1f} {unit} ({seeds})" in readme, (
            f"write the mean of {name}'s record in README.md: {statistics.fmean(values):.1f} {unit} ({seeds})"
        )


def test_a_record_of_two_sittings_names_both_commits(records: Path) -> None:
    one, other = run(0, "a", 1.0), run(1, "a", 1.0)
    write(records / "03_it.json", one | {"commit": "a" * 40}, other | {"commit": "b" * 40})
    (row,) = provenance(["it"])[2:]
    assert row.endswith(f"<br>commits {'a' * 10}, {'b' * 10} |"), (
        "name every commit of the runs: see provenance()"
    )


def test_a_speed_is_shown_beside_the_best_transformer_of_its_case(records: Path) -> None:
    def row(name: str, median: float, unit: str = "tokens/s") -> dict:
        return {"section": "sampling", "case": "10.8M, batch 1", "name": name, "median": median, "unit": unit}

    measured = [row("ours", 300), row("ours, static", 460), row("x", 200), row("y", 230), row("LSTM", 999)]
    measured += [row("limit, products", 500), row("ours", 5, "MiB")]
    write(records / "15_benchmarks.json", result={"rows": measured})
    assert speeds()[2:4] == [
        "| sampling, 10.8M, batch 1: ours | 300 | 1.30 (y) | 60% |",
        "| sampling, 10.8M, batch 1: ours, static | 460 | 2.00 (y) | 92% |",
    ], "compare with the fastest Transformer and the limit of the case: see speeds()"


def test_a_speed_is_a_share_of_what_products_in_its_precision_would_allow(records: Path) -> None:
    def row(name: str, median: float, case: str = "0.8M") -> dict:
        return {"section": "training", "case": case, "name": name, "median": median, "unit": "tokens/s"}

    measured = [row("ours", 30), row("ours, bf16", 40), row("ours, compiled", 45), row("x", 20)]
    measured += [row("limit, torch", 60), row("limit, bf16", 160), row("ours", 7, "1M"), row("x", 7, "1M")]
    write(records / "15_benchmarks.json", result={"rows": measured})
    shares = [line.split(" | ")[3].rstrip(" |") for line in speeds()[2:6]]
    assert shares == ["50%", "25%", "75%", ""], "divide by the limit in the row's own precision: see speeds()"


@pytest.mark.parametrize("mark", ["bf16", "compiled"])
def test_a_speed_is_compared_with_peers_as_precise_and_as_compiled(records: Path, mark: str) -> None:
    def row(name: str, median: float) -> dict:
        return {"section": "training", "case": "1M", "name": name, "median": median, "unit": "tokens/s"}

    measured = [row("ours", 30), row(f"ours, {mark}", 40), row("x", 20), row(f"x, {mark}", 50)]
    write(records / "15_benchmarks.json", result={"rows": measured})
    assert [line.split(" | ")[2] for line in speeds()[2:4]] == ["1.50 (x)", "0.80 (x)"], (
        "compare with peers of the same precision and compilation: see speeds()"
    )
    assert [is_peer(f"x, {mark}", name) for name in ("ours", f"ours, {mark}")] == [False, True], (
        "take peers of the same precision and compilation alone: see is_peer()"
    )
    write(records / "15_benchmarks.json", result={"rows": measured[:3]})
    assert [line.split(" | ")[2] for line in speeds()[2:4]] == ["1.50 (x)", ""], (
        "leave the comparison empty where there is no peer: see speeds()"
    )


def test_the_speeds_on_a_gpu_have_a_record_of_their_own(records: Path) -> None:
    write(records / "15_benchmarks.json", result={"rows": []})
    assert speeds("benchmarks-gpu")[2:] == ["| `make bench DEVICE=cuda` | *not yet run* |"], (
        "read the record of this name, not another's: see speeds()"
    )
    write(records / "15_benchmarks_gpu.json", result={"rows": []})
    assert speeds("benchmarks-gpu")[-1].startswith("| `make bench DEVICE=cuda` | 62 minutes"), (
        "name the command and minutes of this record: see speeds()"
    )
    part = ["python", "-m", "tests.benchmarks", "--only", "training"]
    write(records / "15_benchmarks_gpu.json", result={"rows": []}, command=part)
    assert speeds("benchmarks-gpu")[-1].startswith(f"| `{' '.join(part)}` | 62 minutes"), (
        "name the command that the record holds: see speeds()"
    )


def test_sampling_on_another_processor_has_a_record_of_its_own(records: Path) -> None:
    def row(name: str, median: float) -> dict:
        return {"section": "sampling", "case": "1M", "name": name, "median": median, "unit": "tokens/s"}

    measured = [row("ours, compiled, bf16", 80), row("x, bf16", 50), row("x, compiled, bf16", 40)]
    measured.append(row("x, compiled", 90))
    command = ["python", "-m", "tests.benchmarks", "--only", "generation"]
    write(records / "15_benchmarks_sampling.json", result={"rows": measured}, command=command)
    (line,) = speeds("benchmarks-sampling")[2:3]
    assert line == "| sampling, 1M: ours, compiled, bf16 | 80 | 2.00 (x) |  |", (
        "compare rows of this record alone: see speeds()"
    )
    assert "`python -m tests.benchmarks --only generation`" in speeds("benchmarks-sampling")[-1], (
        "name the command that the record holds: see speeds()"
    )


@pytest.mark.parametrize(
    ("value", "text"), [(79.204, "79.20"), (1.4697, "1.470"), (-0.5, "-0.500"), (1e4, "10,000")]
)
def test_a_number_has_the_decimals_that_its_size_asks_for(value: float, text: str) -> None:
    assert shown(value) == text, "choose the decimals by the number's size: see shown()"
    assert shown(value, 0.1234) == f"{text} ± {0.1234:.{len(text.partition('.')[2])}f}", (
        "give a spread the decimals of its number: see shown()"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("it | kind=a | test | model", "five fields"),
        ("published | 3.0 | model | |", "a figure, a model, a protocol and a source"),
        ("it | kind=a | | model | greedy", "names the number of its record"),
    ],
)
def test_a_line_that_lacks_something_is_refused(line: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Row.parse(line)


def test_settings_are_read_as_values() -> None:
    row = Row.parse("it | kind=input and dimensions, rate=0.1, tied=true | test | model | greedy")
    assert row.settings == {"kind": "input and dimensions", "rate": 0.1, "tied": True}, (
        "read each setting as the value it stands for: see Row.parse()"
    )
