"""Draw the book's marks: its logo and favicon, and the four pictures of the route on its first page.

All are one motif: a grid whose row t shows which positions a prediction at t may use, and how much.
Run it after a change here; the pictures in book/_static are committed.
"""

import math
from collections.abc import Callable
from pathlib import Path

STATIC = Path(__file__).resolve().parent.parent / "book" / "_static"
INK, ACCENT = "#1d4e6b", "#c2571a"
INK_ON_DARK, ACCENT_ON_DARK = "#a9cfe6", "#f0a35e"

Shade = Callable[[int, int], tuple[str, float]]


def grid(size: int, x: float, y: float, side: float, shade: Shade) -> str:
    """`size` times `size` cells in a square; `shade(row, column)` is a color and its opacity."""
    gap = 0.14 * side / size
    cell = (side - gap * (size - 1)) / size
    rectangles = []
    for row in range(size):
        for column in range(size):
            color, opacity = shade(row, column)
            left, top = x + column * (cell + gap), y + row * (cell + gap)
            rectangles.append(
                f'<rect x="{left:.2f}" y="{top:.2f}" width="{cell:.2f}" height="{cell:.2f}" '
                f'rx="{cell / 8:.2f}" fill="{color}" fill-opacity="{opacity:.2f}"/>'
            )
    return "\n".join(rectangles)


def picture(content: str, size: int, background: str = "") -> str:
    """A square SVG file of the content, on a rounded background where one is given."""
    extent = f'width="{size}" height="{size}"'
    backing = f'<rect {extent} rx="{size / 8}" fill="{background}"/>\n' if background else ""
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" {extent}>'
    return f"{opening}\n{backing}{content}\n</svg>\n"


def mark(ink: str, accent: str) -> Shade:
    """The logo: a causal mask with its diagonal in the accent color."""
    return lambda row, column: (accent if row == column else ink, 0.16 if column > row else 1.0)


def may_look(row: int, column: int) -> tuple[str, float]:
    """Part I: the positions that the chain rule conditions on."""
    return INK, 1.0 if column <= row else 0.08


def looks_at(row: int, column: int) -> tuple[str, float]:
    """Part II: weights from the content, here the affinities of six positions on a circle."""
    if column > row:
        return INK, 0.08
    angles = [0.0, 2.2, 4.1, 0.5, 2.5, 3.9]
    scores = [3.0 * math.cos(angles[row] - angles[earlier]) for earlier in range(row + 1)]
    weights = [math.exp(score) for score in scores]
    return ACCENT, 0.08 + 0.92 * weights[column] / max(weights)


def remembers(row: int, column: int) -> tuple[str, float]:
    """Part IV: weights that fade with distance, as a forget gate makes them."""
    return INK, 0.08 if column > row else 0.08 + 0.92 * 0.62 ** (row - column)


def stack() -> str:
    """Part III: the same grid in many layers."""
    layers = []
    for depth in range(3):
        at = 12 + 16 * (2 - depth)
        layers.append(
            f'<rect x="{at - 4}" y="{at - 4}" width="72" height="72" rx="4" fill="#ffffff" stroke="{INK}"/>'
        )
        layers.append(grid(6, at, at, 64, [remembers, may_look, looks_at][depth]))
    return "\n".join(layers)


def main() -> None:
    """Draw all seven pictures."""
    for name, ink, accent, background in [
        ("logo.svg", INK, ACCENT, ""),
        ("logo-dark.svg", INK_ON_DARK, ACCENT_ON_DARK, ""),
        ("favicon.svg", INK, ACCENT, "#ffffff"),
    ]:
        write(name, picture(grid(4, 3, 3, 26, mark(ink, accent)), 32, background))
    write("route-1.svg", picture(grid(6, 12, 12, 96, may_look), 120))
    write("route-2.svg", picture(grid(6, 12, 12, 96, looks_at), 120))
    write("route-3.svg", picture(stack(), 120))
    write("route-4.svg", picture(grid(6, 12, 12, 96, remembers), 120))


def write(name: str, svg: str) -> None:
    """Write a picture to the book's static files."""
    (STATIC / name).write_text(svg, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
