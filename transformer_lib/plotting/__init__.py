"""The figures of the course: one style, and the few pictures that every chapter draws.

A figure is a white panel, so that it reads on a light page and on a dark one; it is 7 inches wide with type
of 10 points and more, so that it can be read on a telephone; its colours can be told apart with any kind of
colour vision; and it holds no date and no version, so that the same drawing gives the same bytes. Chapters
call :func:`use_house_style` in their first cell.

Nothing in the library imports this package: it needs matplotlib, which the library does not.
"""

from transformer_lib.plotting.charts import curve_with_spread, heat_map, mask_grid
from transformer_lib.plotting.diagram import Box, Diagram
from transformer_lib.plotting.pixels import nade_flow, pixel_images, pixel_questions
from transformer_lib.plotting.sequences import chain_rule_tree, padding_windows, surprisal_strip
from transformer_lib.plotting.style import COLORS, WIDTH, save_png, use_house_style

__all__ = [
    "COLORS",
    "WIDTH",
    "Box",
    "Diagram",
    "chain_rule_tree",
    "curve_with_spread",
    "heat_map",
    "mask_grid",
    "nade_flow",
    "padding_windows",
    "pixel_images",
    "pixel_questions",
    "save_png",
    "surprisal_strip",
    "use_house_style",
]
