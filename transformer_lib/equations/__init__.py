"""The sources' equations, literally: float64 NumPy in their own letters and index notation.

A source has a module or, where one would be long, several: `note`, `slides`, `garcia`, `tx`, `stratos`, and
`papers` for what the course takes from the literature. They are made to be read beside the page they come
from, not to be fast; the tests prove the library's PyTorch modules equal to them. A `Source:` line in every
docstring names the equations.
"""

from . import (
    garcia,
    note,
    note_lstm,
    note_positions,
    papers,
    papers_attention,
    papers_beyond_text,
    papers_block,
    papers_decoding,
    papers_training,
    slides,
    slides_dropout,
    stratos,
    stratos_model,
    tx,
)

__all__ = [
    "garcia",
    "note",
    "note_lstm",
    "note_positions",
    "papers",
    "papers_attention",
    "papers_beyond_text",
    "papers_block",
    "papers_decoding",
    "papers_training",
    "slides",
    "slides_dropout",
    "stratos",
    "stratos_model",
    "tx",
]
