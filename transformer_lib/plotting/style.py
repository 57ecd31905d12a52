"""Colors, type and file format of every figure."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib import font_manager
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

Number = int | float

WIDTH = 7.0
"""Width of every figure, in inches."""

COLORS = {
    "blue": "#0072B2",
    "orange": "#D55E00",
    "green": "#009E73",
    "purple": "#AA4499",
    "sky": "#56B4E9",
    "gold": "#B8860B",
    "grey": "#666666",
    "black": "#1A1A1A",
}
"""Colors by name. Blue and orange come first: they differ most, whatever the reader's color vision.

:meta hide-value:
"""

# The book's own typeface at two weights, in the format that matplotlib reads, and under a name of its own as
# its license asks. It has Latin letters only, hence the second family.
_FONTS = Path(__file__).parent / "fonts"

_PNG = {"Software": None}

_STYLE: dict[Any, Any] = {
    "figure.figsize": (WIDTH, 3.4),
    "figure.dpi": 90,
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.w_pad": 0.08,
    "figure.constrained_layout.h_pad": 0.08,
    "savefig.facecolor": "white",
    "savefig.dpi": 180,
    "font.family": ["Course Serif", "DejaVu Serif"],
    "mathtext.fontset": "cm",
    "font.size": 13.5,
    "axes.titlesize": 14,
    "axes.titlelocation": "left",
    "axes.titlepad": 8,
    "axes.labelsize": 13.5,
    "xtick.labelsize": 12.5,
    "ytick.labelsize": 12.5,
    "legend.fontsize": 12.5,
    "legend.frameon": False,
    "legend.handlelength": 2.4,
    "text.color": COLORS["black"],
    "axes.labelcolor": COLORS["black"],
    "axes.edgecolor": COLORS["grey"],
    "xtick.color": COLORS["grey"],
    "ytick.color": COLORS["grey"],
    "xtick.labelcolor": COLORS["black"],
    "ytick.labelcolor": COLORS["black"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.8,
    "lines.linewidth": 2.0,
    "lines.markersize": 5.5,
    "image.cmap": "Blues",
}


def use_house_style() -> None:
    """Set matplotlib's defaults to the course's style, and Jupyter's to crisp PNG without metadata.

    A figure is :data:`WIDTH` inches wide, which is 630 px on a laptop and 375 px on a phone. Type of 13.5
    points is then as large as the page's own on the laptop, and 10 px on the phone; do not go below 12.
    Draw in ink on white and set no background: the page removes the white, and shows the negative with the
    same hues in its dark theme. A picture whose black and white mean something keeps them if its cell has the
    metadata ``{"mystnb": {"image": {"classes": "as-is"}}}``.
    """
    _add_fonts()
    colors = [COLORS[name] for name in ("blue", "orange", "green", "purple", "sky", "gold")]
    dashes = ["-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)), (0, (7, 2))]
    mpl.rcParams.update(_STYLE)
    mpl.rcParams["axes.prop_cycle"] = cycler(color=colors) + cycler(linestyle=dashes)
    _set_notebook_format()


def _add_fonts() -> None:
    fonts = font_manager.fontManager
    if "Course Serif" not in fonts.get_font_names():
        for path in sorted(_FONTS.glob("*.ttf")):
            fonts.addfont(path)


def _set_notebook_format() -> None:
    try:
        from IPython import get_ipython
        from matplotlib_inline.config import InlineBackend
    except ImportError:
        return
    shell = get_ipython()
    if shell is None:
        return
    from IPython.core.pylabtools import select_figure_formats

    options: dict[str, Any] = {"bbox_inches": None, "metadata": _PNG}
    inline = InlineBackend.instance(parent=shell)
    inline.set_trait("print_figure_kwargs", options)
    inline.figure_formats = {"retina"}
    select_figure_formats(shell, {"retina"}, **options)


def styled(things: Collection[Any], *styles: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Each thing with the next of every kind of style.

    Raises
    ------
    ValueError
        If there are more things than styles, which would look alike or be left out.
    """
    most = min(map(len, styles))
    if len(things) > most:
        raise ValueError(f"at most {most} can be told apart in this chart; got {len(things)}")
    return zip(things, *styles)


def save_png(figure: Figure, path: Path) -> None:
    """Write `figure` to `path` as a PNG whose bytes depend on the drawing alone."""
    figure.savefig(path, format="png", metadata=_PNG)


def tint(color: str, strength: float = 0.12) -> tuple[float, float, float]:
    """Mix `color` with white: 0 gives white, 1 the color itself."""
    red, green, blue = to_rgb(color)
    return (1 - strength * (1 - red), 1 - strength * (1 - green), 1 - strength * (1 - blue))
