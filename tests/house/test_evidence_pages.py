"""The pages of evidence say what each contrast compares, mark what is weak, and show every condition."""

import re
from pathlib import Path
from typing import Any

import evidence_pages
import pytest
from claims_ledger import chapters
from evidence_pages import record_lines, verdict_lines

from transformer_lib.experiments import Contrast, Results, Verdict, load_results
from transformer_lib.experiments.running.results import summary
from transformer_lib.training import Record

NATS = {("tied", 0.01): [1.0, 1.2], ("tied", 0.03): [0.9, 1.0], ("separate", 0.01): [0.8, 1.1]}


def recorded(config: dict[str, Any]) -> Results:
    runs = [
        {"seed": seed, "settings": {"head": head, "rate": rate}, "result": {"nats": values[seed], "other": 1}}
        for (head, rate), values in NATS.items()
        for seed in (0, 1)
    ]
    whole = {"data": {}, "seeds": [0, 1], "minutes": 2.4, "curve": [], "command": ["python", "-m", "it"]}
    return Results(Record.of_run(config=config, result=summary(runs), **whole))


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(evidence_pages, "load_results", lambda name: recorded({}))
    contrasts = [
        Contrast("tied", "heads", "nats", {"head": "tied"}, {"head": "separate"}, grid="rate"),
        Contrast(
            "joint",
            "heads",
            "nats",
            {"head": "tied", "rate": 0.03},
            {"head": "separate", "rate": 0.01},
            reason="each at its own rate",
        ),
        Contrast("above", "heads", "nats", {"head": "tied", "rate": 0.03}, against=0.083),
    ]
    verdict = Verdict("C11", "open", "It may.", contrasts, open="the width")
    return "\n".join(verdict_lines(verdict, min(chapters())))


def test_each_contrast_says_what_it_compares_and_where_its_numbers_are(lines: str) -> None:
    assert "- *tied*: head = tied; best rate 0.03 of 0.01, 0.03" in lines, (
        "name the settings, and the value that was taken of the grid: see arm_text()"
    )
    assert "against head = separate" in lines and "Record heads, number `nats`" in lines, (
        "name the other side, the record and the number: see verdict_lines()"
    )
    assert "head = tied, rate = 0.03; against a constant." in lines, (
        "say that a constant is one: see arm_text()"
    )


def test_what_is_weak_is_marked(lines: str) -> None:
    assert lines.count("at the edge of its grid") == 1, "mark a best value at the edge: see arm_text()"
    assert lines.count("**Open**") == 2, "mark an interval that includes zero: see verdict_lines()"
    assert "The sides differ in head, rate: each at its own rate." in lines, (
        "give the reason for a joint change: see verdict_lines()"
    )
    assert "*Not varied:* the width." in lines, "say what was not varied: see verdict_lines()"


def test_a_record_is_shown_with_every_condition_and_the_numbers_compared() -> None:
    shown = record_lines(recorded({"width": 8, "conditions": []}), ["nats"])
    table = [line for line in shown if line.startswith("|")]
    assert table[0] == "| head | rate | nats |" and len(table) == 2 + len(NATS), (
        "give each condition a row, with the numbers that verdicts compare: see record_lines()"
    )
    assert table[2].startswith("| tied | 0.01 | 1.1 [") and "Fixed: width = 8." in shown, (
        "show mean and interval, and what was the same in all runs: see record_lines() and cell()"
    )
    assert "Fixed: none." in record_lines(recorded({}), ["nats"]), (
        "say that nothing was fixed besides the conditions: see record_lines()"
    )


def test_a_number_that_the_record_lacks_is_an_error_and_no_empty_cell() -> None:
    with pytest.raises(ValueError, match="no number 'lost'"):
        record_lines(recorded({}), ["lost"])


EVIDENCE = Path(__file__).resolve().parents[2] / "book/evidence"


@pytest.mark.parametrize("page", sorted(EVIDENCE.glob("*.md")), ids=lambda page: page.stem)
def test_a_line_of_the_directive_names_a_record_and_numbers_that_it_holds(page: Path) -> None:
    chapter, body = re.findall(r"```\{evidence\} *(\d+)\n((?:.*\n)*?)```", page.read_text("utf-8"))[0]
    assert int(chapter) == int(page.stem), f"{page.name}: write the evidence of its own chapter"
    for name, *numbers in map(str.split, body.splitlines()):
        shown = record_lines(load_results(name), numbers)
        assert numbers and f"{numbers[-1]} |" in "".join(shown).replace("\u200b", ""), (
            f"{page.name}: after the record {name}, name the numbers that its table shows"
        )
