"""How a chapter shows a verdict: a sentence, and its effects as points with intervals.

The text form, which the notebooks' test compares, has the same numbers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from transformer_lib.experiments.running.verdicts import Effect, Verdict

__all__ = ["VerdictBox", "draw_effects"]

NOTE = (
    "Points are differences of the means, the first side minus the second; "
    "bars are their 95% intervals over seeds."
)
MINUS = "\u2212"
GRID = (
    "display: grid; grid-template-columns: minmax(8rem, 1fr) minmax(5rem, 1fr) minmax(10rem, 1.2fr); "
    "gap: 0.2rem 1rem; align-items: center"
)
MARGIN = 6.0


@dataclass(frozen=True)
class VerdictBox:
    """A verdict with its effects, for a notebook."""

    verdict: Verdict
    effects: Sequence[Effect]

    def __repr__(self) -> str:
        found = self.verdict
        lines = [f"{found.claim} {found.status}: {found.sentence}"]
        lines += [f"  {effect.contrast.label}: {effect}" for effect in self.effects]
        lines += [f"  proven: {found.proven}"] * bool(found.proven)
        lines += [f"  open: {found.open}"] * bool(found.open)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        found = self.verdict
        status = f'<span class="status {found.status.replace(" ", "-")}">{found.status}</span>'
        parts = [f"<p><strong>{found.claim}</strong> {status} {escape(found.sentence)}</p>"]
        if self.effects:
            parts += [draw_effects(self.effects), f'<p class="note">{NOTE}</p>']
        if found.proven:
            parts.append(f'<p class="note">Proven by the test <code>{escape(found.proven)}</code></p>')
        if found.open:
            parts.append(f'<p class="note"><em>Not varied:</em> {escape(found.open)}.</p>')
        return f'<div class="verdict-box">{"".join(parts)}</div>'


def draw_effects(effects: Sequence[Effect]) -> str:
    """A row for each effect: its label, a point with its interval, its numbers. Equal units share a scale."""
    rows = []
    for effect in effects:
        label, numbers = escape(effect.contrast.label), escape(str(effect))
        drawn = _point(effect, [other for other in effects if other.contrast.unit == effect.contrast.unit])
        rows.append(
            f'<div class="label">{label}</div>'
            f'<svg width="100%" height="22" role="img" aria-label="{label}: {numbers}">{drawn}</svg>'
            f'<div class="numbers">{numbers.replace("-", MINUS)}</div>'
        )
    return f'<div class="effects" style="{GRID}">{"".join(rows)}</div>'


def _point(effect: Effect, group: Sequence[Effect]) -> str:
    """The lines of an effect on the scale of its group: zero, the interval, the mean."""
    found = [x for one in group for x in (one.interval.mean, one.interval.low, one.interval.high)]
    ends = [0.0, *filter(math.isfinite, found)]
    scale = (100 - 2 * MARGIN) / ((max(ends) - min(ends)) or 1.0)

    def at(value: float) -> str:
        return f"{MARGIN + (value - min(ends)) * scale:.1f}%"

    def line(start: float, end: float, top: int, bottom: int, style: str) -> str:
        return (
            f'<line {style} stroke="currentColor" x1="{at(start)}" x2="{at(end)}" y1="{top}" y2="{bottom}"/>'
        )

    interval = effect.interval
    drawn = line(0.0, 0.0, 0, 22, 'class="zero" stroke-dasharray="2 3"')
    if math.isfinite(interval.half_width):
        drawn += line(interval.low, interval.high, 11, 11, 'class="bar" stroke-width="2"')
    kind = "open" if effect.is_open else "clear"
    return f'{drawn}<circle class="{kind}" stroke="currentColor" cx="{at(interval.mean)}" cy="11" r="4.5"/>'
