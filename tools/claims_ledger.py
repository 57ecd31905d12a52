"""Sphinx extension of the book: the ledger of the sources' claims, written again at every build.

A page lists the claims, a line each, in a directive:

    :::{claims}
    C9 | slides | 4, 14 | Recurrent networks sample fast and train slowly.
    :::

are the claim's id, whose it is, the chapters that test it, and the claim in our words. The verdicts are data
of the chapters (`transformer_lib/experiments/chapter_NN/verdicts.py`), with effects computed from records.
Some chapters still state theirs in words:

    :::{admonition} Verdict on C9: holds ...
    :class: verdict
    :name: verdict-04-c9

A chapter that exists and has no verdict on its claim is a warning, and so is a verdict on a claim that the
page does not give to its chapter; warnings fail the build.

    ```{tally}
    ```

says how many of the claims have which status.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from transformer_lib.experiments import VERDICTS, load_results
from transformer_lib.experiments.running.verdicts import STATUSES

ROOT = Path(__file__).resolve().parent.parent
LEDGER = ROOT / "book" / "claims.md"
LISTED = re.compile(r"^:::\{claims\}\n(.*?)^:::", re.MULTILINE | re.DOTALL)
VERDICT = re.compile(
    r"^:::\{admonition\} Verdict on (C\d+): (.+)\n:class: verdict\n(?::name: (\S+)\n)?", re.M
)

logger = logging.getLogger(__name__)


def label_of(chapter: int, claim: str) -> str:
    """The label of the place that has a chapter's verdict on a claim."""
    return f"verdict-{chapter:02}-{claim.lower()}"


@dataclass(frozen=True)
class Verdict:
    """What a chapter found of a claim, in a line, the label of where it says so, and the deciding effect."""

    claim: str
    chapter: int
    text: str
    label: str
    status: str = ""
    effect: str = ""

    @property
    def right_label(self) -> str:
        """The label that the ledger links to."""
        return label_of(self.chapter, self.claim)


@dataclass(frozen=True)
class Claim:
    """A line of the ledger, as the page states it."""

    key: str
    source: str
    chapters: tuple[int, ...]
    text: str

    @classmethod
    def parse(cls, line: str) -> "Claim":
        """Read `id | source | chapters | claim`."""
        fields = [field.strip() for field in line.split("|", maxsplit=3)]
        if len(fields) != 4:
            raise ValueError(f"a claim has four fields, id | source | chapters | claim: {line!r}")
        key, source, chapters, text = fields
        return cls(key, source, tuple(int(chapter) for chapter in chapters.split(",")), text)


def listed() -> list[Claim]:
    """The claims of the ledger's page."""
    tables = LISTED.findall(LEDGER.read_text(encoding="utf-8"))
    return [Claim.parse(line) for table in tables for line in table.splitlines() if line.strip()]


@cache
def chapters() -> dict[int, Path]:
    """The notebooks of the chapters that exist, by number."""
    return {int(path.name[:2]): path for path in sorted((ROOT / "chapters").glob("[0-9][0-9]_*.ipynb"))}


@cache
def verdicts() -> list[Verdict]:
    """The verdicts of the chapters."""
    found = []
    for number, data in VERDICTS.items():
        for one in data:
            effect = one.effects(load_results)[0] if one.contrasts else None
            said = f"{effect.contrast.label}: {effect}" if effect else "proven"
            label = label_of(number, one.claim)
            found.append(Verdict(one.claim, number, one.sentence, label, one.status, said))
    for number, path in chapters().items():
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for claim, text, label in VERDICT.findall("".join(cell["source"]) + "\n"):
                found.append(Verdict(claim, number, text, label))
    return found


def faults(claims: list[Claim]) -> list[str]:
    """Where ledger and chapters differ."""
    promised = {(claim.key, number) for claim in claims for number in claim.chapters if number in chapters()}
    given = [(verdict.claim, verdict.chapter) for verdict in verdicts()]
    unlabeled = [verdict for verdict in verdicts() if verdict.label != verdict.right_label]
    twice = {one for one in given if given.count(one) > 1}
    return [
        *(f"chapter {n} has no verdict on {key}" for key, n in sorted(promised - {*given})),
        *(f"chapter {n} has a verdict on {key}, not on the ledger" for key, n in sorted({*given} - promised)),
        *(f"chapter {n} has two verdicts on {key}" for key, n in sorted(twice)),
        *(f"chapter {v.chapter}: the verdict on {v.claim} needs `:name: {v.right_label}`" for v in unlabeled),
    ]


def cells(claim: Claim) -> list[str]:
    """The claim's row in MyST: what is claimed, what the chapters found, and by which effect."""
    found, effects = [], []
    for number in claim.chapters:
        said = [v for v in verdicts() if (v.claim, v.chapter) == (claim.key, number)]
        for v in said:
            status = f"**{v.status}:** " if v.status else ""
            found.append(f"{status}{{ref}}`{v.text} <{v.right_label}>` (chapter {number})")
            effects.append(v.effect)
        if not said:
            found.append(f"*chapter {number}, coming*")
    return [f"**{claim.key}** {claim.text}<br>{claim.source}", "<br>".join(found), "<br>".join(effects)]


def tally() -> str:
    """How many verdicts have which status."""
    counts = Counter(verdict.status for verdict in verdicts())
    parts = [f"{counts[status]} *{status}*" for status in STATUSES if counts[status]]
    in_words = f", and {counts['']} stated in words" if counts[""] else ""
    return f"{sum(counts.values())} verdicts: {', '.join(parts)}{in_words}."


class ClaimsLedger(SphinxDirective):
    """A table of claims with their verdicts."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Expand the listed claims into a table."""
        self.env.note_reread()
        for found in (chapters, verdicts):
            found.cache_clear()
        for fault in faults(listed()):
            logger.warning(fault, location=self.get_location())
        table = ["| claim, source | verdict | deciding effect |", "|---|---|---|"]
        table += [f"| {' | '.join(cells(Claim.parse(line)))} |" for line in self.content if line.strip()]
        container = nodes.container(classes=["claims-ledger"])
        self.state.nested_parse(StringList(table, self.get_location()), self.content_offset, container)
        return [container]


class Tally(SphinxDirective):
    """A sentence with the number of verdicts of each status."""

    def run(self) -> list[nodes.Node]:
        """Write the sentence."""
        self.env.note_reread()
        container = nodes.container()
        self.state.nested_parse(StringList([tally()], self.get_location()), self.content_offset, container)
        return [container]


def setup(app: Sphinx) -> dict[str, object]:
    """Register the directive."""
    app.add_directive("claims", ClaimsLedger)
    app.add_directive("tally", Tally)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
