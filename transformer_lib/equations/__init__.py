"""The sources' equations, literally: float64 NumPy in their own letters and index notation.

One module a source: `note`, `slides`, `garcia`, `tx`, `stratos`, and `papers` for what the course takes from
the literature. They are made to be read beside the page they come from, not to be fast; the tests prove the
library's PyTorch modules equal to them. A `Source:` line in every docstring names the equations.
"""

from . import garcia, note, note_lstm, papers, slides, stratos, tx

__all__ = ["garcia", "note", "note_lstm", "papers", "slides", "stratos", "tx"]
