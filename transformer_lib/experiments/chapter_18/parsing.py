"""Parsing as translation, beside other parsers that learn from the same trees.

``parsing`` is on sentences that a known grammar draws, so that the best F1 there is can be computed;
``gum-parsing`` is on English sentences of the Georgetown University Multilayer corpus.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from transformer_lib.data import SIGHTINGS, format_tree, load_sightings, load_trees
from transformer_lib.data.corpus import sha256_of
from transformer_lib.data.trees import relabel, without_function
from transformer_lib.experiments.chapter_18.parsers import PARSERS, ParserRecipe, Parts, measure
from transformer_lib.experiments.running.runner import Experiment

__all__ = ["EMBEDDED", "GUM", "LARGER", "SIZES", "SMALL", "gum", "sightings"]

SIZES = (500, 4000)

SMALL = ParserRecipe(
    steps=(600, 1200, 2400, 3600, 4800), rate=0.003, warmup=200, tokens=1000, context_length=96
)
"""For the sentences of a grammar: about 35 of them in a batch."""

LARGER = ParserRecipe(
    steps=(500, 1000, 2000, 3000, 4000),
    rate=0.002,
    warmup=400,
    tokens=3000,
    context_length=512,
    d_model=128,
    n_layers=3,
    dropout=0.3,
    smoothing=0.1,
    min_count=2,
)
"""For English: about 50 sentences in a batch, and 57 epochs."""


@cache
def sightings(seed: int, n_train: int = SIZES[-1]) -> Parts:
    """Sentences of the grammar: the first ``n_train`` of 4,000 to learn from, 300 and 500 held out."""
    drawn = load_sightings(SIZES[-1], 500, seed=seed)
    return Parts(drawn.train[:n_train], drawn.valid[:300], drawn.test)


@cache
def gum() -> Parts:
    """GUM's trees without functions, with GUM's own parts."""
    bank = load_trees("gum-const")
    return Parts(
        *([relabel(tree, without_function) for tree in part] for part in (bank.train, bank.valid, bank.test))
    )


def measure_sightings(seed: int, folder: Path | None = None, *, parser: str, n_train: int) -> dict[str, Any]:
    """The scores of a parser of sentences that the grammar draws from this seed."""
    return measure(sightings(seed, n_train), SMALL, seed, parser, "words", SIGHTINGS)


def measure_gum(seed: int, folder: Path | None = None, *, parser: str, reads: str) -> dict[str, Any]:
    """The scores of a parser of GUM's sentences; the parses are not kept, as the text is not ours to give."""
    found = measure(gum(), LARGER, seed, parser, reads)
    found.pop("outputs", None)
    return found


def _data_of_sightings() -> Mapping[str, Any]:
    return {"name": "sightings", "sha256 at seed 0": _sha256(sightings(0))}


def _data_of_gum() -> Mapping[str, Any]:
    return {"name": "gum-const", "sha256": _sha256(gum())}


def _sha256(parts: Parts) -> str:
    return sha256_of(
        *([format_tree(tree) for tree in part] for part in (parts.train, parts.valid, parts.test))
    )


EMBEDDED = Experiment(
    name="parsing",
    chapter=18,
    description="four parsers of sentences that a grammar draws, from few and from many trees",
    measure=measure_sightings,
    seeds=(0, 1, 2, 3, 4),
    config=SMALL.settings(),
    data=_data_of_sightings,
    conditions=tuple({"parser": parser, "n_train": n} for n in SIZES for parser in PARSERS),
)
GUM = Experiment(
    name="gum-parsing",
    chapter=18,
    description="three parsers of English sentences, which read words or the right parts of speech",
    measure=measure_gum,
    seeds=(0, 1, 2),
    config=LARGER.settings(),
    data=_data_of_gum,
    conditions=(
        {"parser": "Transformer", "reads": "words"},
        {"parser": "Transformer", "reads": "tags"},
        {"parser": "treebank grammar", "reads": "tags"},
        {"parser": "right-branching", "reads": "tags"},
    ),
)
