"""The ledger of claims and the chapters agree, and its page says so where they do not."""

import re
from dataclasses import replace

import claims_ledger
import pytest
from claims_ledger import Claim, Verdict, cells, faults, listed

from transformer_lib.experiments import VERDICTS, load_results
from transformer_lib.experiments.running.verdicts import Verdict as VerdictData


def test_the_ledger_has_the_38_claims_of_the_sources_once_each() -> None:
    assert sorted(claim.key for claim in listed()) == sorted(f"C{number}" for number in range(1, 39)), (
        "list each of the claims C1 to C38 once in book/claims.md"
    )


def test_every_chapter_gives_the_verdicts_that_the_ledger_expects_of_it() -> None:
    assert faults(listed()) == [], (
        "give the verdict in the chapter, or change the claim's chapters in book/claims.md"
    )


def test_every_verdict_in_a_chapter_is_read() -> None:
    """One that is written in another form would be missing from the ledger without a warning."""
    for number, path in claims_ledger.chapters().items():
        written = set(re.findall(r"Verdict on (C\d+)", path.read_text(encoding="utf-8")))
        in_words = {v.claim for v in claims_ledger.verdicts() if v.chapter == number and not v.status}
        assert written == in_words, (
            f"write each verdict of {path.name} in the form that verdicts() of tools/claims_ledger.py reads"
        )


@pytest.mark.parametrize(
    ("claim", "fault"),
    [
        (Claim("C1", "note", (6, 7), "?"), "chapter 7 has no verdict on C1"),
        (Claim("C1", "note", (7,), "?"), "chapter 6 has a verdict on C1, not on the ledger"),
    ],
)
def test_a_verdict_that_is_owed_or_homeless_is_a_fault(claim: Claim, fault: str) -> None:
    assert fault in faults([claim, *(other for other in listed() if other.key != "C1")]), (
        "report this in faults() of tools/claims_ledger.py"
    )


def test_a_verdict_without_its_label_or_given_twice_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    found = claims_ledger.verdicts()
    wrong = [replace(found[0], label=""), *found]
    monkeypatch.setattr(claims_ledger, "verdicts", lambda: wrong)
    said = " ".join(faults(listed()))
    assert f"has two verdicts on {found[0].claim}" in said, (
        "report a verdict that is given twice in faults() of tools/claims_ledger.py"
    )
    assert f"needs `:name: {found[0].right_label}`" in said, (
        "report a verdict without its label in faults() of tools/claims_ledger.py"
    )


DATA = [(chapter, verdict) for chapter, verdicts in VERDICTS.items() for verdict in verdicts]


@pytest.mark.parametrize(("chapter", "verdict"), DATA, ids=[f"{n}-{v.claim}" for n, v in DATA])
def test_a_verdict_says_no_more_than_its_effects(chapter: int, verdict: VerdictData) -> None:
    effects = verdict.effects(load_results)
    assert verdict.status == "open" or verdict.proven or not all(effect.is_open for effect in effects), (
        f"call the verdict on {verdict.claim} in chapter {chapter} open: each of its intervals includes zero"
    )
    assert len(verdict.sentence.split()) <= 40, (
        f"say the verdict on {verdict.claim} in chapter {chapter} in at most 40 words"
    )


@pytest.mark.parametrize(("chapter", "verdict"), DATA, ids=[f"{n}-{v.claim}" for n, v in DATA])
def test_a_verdict_stands_in_its_chapter_and_has_a_page_of_evidence(
    chapter: int, verdict: VerdictData
) -> None:
    text = claims_ledger.chapters()[chapter].read_text(encoding="utf-8")
    assert re.search(rf'show_verdict\(\\"{verdict.claim}\\"', text), (
        f'show the verdict in the chapter: show_verdict("{verdict.claim}")'
    )
    page = claims_ledger.ROOT / "book" / "evidence" / f"{chapter:02}.md"
    assert page.exists() and f"{{evidence}} {chapter}" in page.read_text(encoding="utf-8"), (
        f"write book/evidence/{chapter:02}.md, with the directive {{evidence}} {chapter}"
    )


@pytest.mark.parametrize("verdict", [v for _, v in DATA if v.proven], ids=lambda v: v.claim)
def test_the_proof_of_a_verdict_is_a_test_that_exists(verdict: VerdictData) -> None:
    file, _, name = verdict.proven.partition("::")
    path = claims_ledger.ROOT / file
    assert path.is_file() and f"def {name}(" in path.read_text(encoding="utf-8"), (
        f"name a test that proves {verdict.claim}: there is no {verdict.proven}"
    )


def test_a_row_links_to_each_verdict_and_says_which_chapters_are_coming(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    verdict = Verdict("C1", 6, "It does when asked.", "verdict-06-c1", "holds when", "asked: +1")
    monkeypatch.setattr(claims_ledger, "verdicts", lambda: [verdict])
    claim, said, effect = cells(Claim("C1", "note", (6, 16), "Water is wet."))
    assert claim == "**C1** Water is wet.<br>note", (
        "let cells() of tools/claims_ledger.py begin with the claim's number"
    )
    link = "{ref}`It does when asked. <verdict-06-c1>` (chapter 6)"
    assert said == f"**holds when:** {link}<br>*chapter 16, coming*", (
        "let cells() of tools/claims_ledger.py link each verdict and name the chapters to come"
    )
    assert effect == "asked: +1", "let cells() of tools/claims_ledger.py give each verdict's first effect"


def test_a_line_of_the_ledger_without_its_four_fields_is_refused() -> None:
    with pytest.raises(ValueError, match=r"four fields, id \| source .* 'C1 \| note'"):
        Claim.parse("C1 | note")
