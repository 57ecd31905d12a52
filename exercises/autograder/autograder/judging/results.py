"""The outcome of a question: points, what was wrong in words, the named mistake, hints."""

import html
import unicodedata
from dataclasses import dataclass, field
from typing import Any

import msgspec

STATUSES = ("ok", "empty", "missing", "crashed", "timeout", "out-of-memory", "unreadable")
MEANINGS = {
    "empty": "not answered yet",
    "missing": "no cell found",
    "crashed": "the code stopped with an error",
    "timeout": "the code ran out of time",
    "out-of-memory": "the code ran out of memory",
}
UNGRADED = "ungraded"
WITHOUT_PARTS = ("empty", "missing", "unreadable", UNGRADED)


def presentable(text: str, kept: str = "\n\t") -> str:
    """The text with control characters, and what is no character, written out."""
    return "".join(
        c if c in kept or unicodedata.category(c) not in ("Cc", "Cs") else ascii(c)[1:-1] for c in text
    )


def escaped(text: str) -> str:
    """The text as HTML."""
    return html.escape(presentable(text))


@dataclass(frozen=True)
class PartResult:
    """The outcome of one part."""

    name: str
    points: int
    max_points: int
    description: str
    message: str = ""


@dataclass(frozen=True)
class Result:
    """The outcome of one question. ``points`` of ``max_points``; ``status`` is one of STATUSES.

    ``hints`` are the steps shown so far for ``hinted``, the first part that was lost; ``more_hints`` wait.
    """

    question: str
    title: str
    status: str
    parts: tuple[PartResult, ...]
    message: str = ""
    mistakes: tuple[tuple[str, str], ...] = ()
    hinted: str = ""
    hints: tuple[str, ...] = ()
    more_hints: int = 0
    printed: str = field(default="", compare=False)

    @property
    def points(self) -> int:
        """The points won."""
        return sum(part.points for part in self.parts)

    @property
    def max_points(self) -> int:
        """The points of all parts."""
        return sum(part.max_points for part in self.parts)

    @property
    def mistake(self) -> str | None:
        """The name of the mistake that the answer equals, if there is one."""
        return self.mistakes[0][0] if self.mistakes else None

    @property
    def feedback(self) -> str:
        """Everything that the student reads, as text."""
        lines = [self._headline()]
        if self.message:
            lines.append(f"  {self.message}")
        if self.status not in WITHOUT_PARTS:
            for part in self.parts:
                won = "+" if part.points == part.max_points else "-"
                lines.append(f"  {won} {part.name} {part.points}/{part.max_points}: {part.description}")
                if part.message:
                    lines.append(f"      {part.message}")
        if self.mistakes:
            lines.append(f"  This equals {self.mistakes[0][1]}.")
        lines += [f"  {told}" for told in self.hint_lines()]
        if self.printed:
            lines += ["  Your code printed:", *(f"    {line}" for line in self.printed.splitlines())]
        return presentable("\n".join(lines))

    def _headline(self) -> str:
        points = f"{self.points} of {self.max_points} point{'s' if self.max_points != 1 else ''}"
        meaning = f" - {MEANINGS[self.status]}" if self.status in MEANINGS else ""
        return f"Question {self.question}, {self.title}: {points}{meaning}"

    def __repr__(self) -> str:
        return self.feedback

    def _repr_html_(self) -> str:
        full = self.points == self.max_points
        colour = "#1a7f37" if full else "#b26a00" if self.points else "#8b5a5a"
        pieces = [f"<strong>{escaped(self._headline())}</strong>"]
        if self.message:
            pieces.append(f'<div style="white-space:pre-wrap">{escaped(self.message)}</div>')
        if self.status not in WITHOUT_PARTS:
            pieces += [_part_html(part) for part in self.parts]
        pieces += self.help_html()
        style = f"border-left:4px solid {colour};padding:.4em .8em;overflow-wrap:anywhere"
        return f'<div style="{style}">{"".join(pieces)}</div>'

    def hint_lines(self) -> list[str]:
        """The hints with their numbers, and how to get the next one."""
        lines = [f"Hint {number} on {self.hinted}: {hint}" for number, hint in enumerate(self.hints, 1)]
        if self.more_hints:
            again = f'change your answer and check again, or run hint("{self.question}").'
            lines.append(f"For another hint, {again}" if self.hints else f"For a hint, {again}")
        return lines

    def help_html(self) -> list[str]:
        """The named mistake, the hints and what was printed, as HTML."""
        pieces = []
        if self.mistakes:
            pieces.append(f"<div>This equals <strong>{escaped(self.mistakes[0][1])}</strong>.</div>")
        pieces += [f"<div><em>{escaped(told)}</em></div>" for told in self.hint_lines()]
        if self.printed:
            shown = f"<pre>{escaped(self.printed)}</pre>"
            pieces.append(f"<details><summary>Your code printed</summary>{shown}</details>")
        return pieces

    def to_json(self) -> dict[str, Any]:
        """The fields, and what follows from them; ``msgspec.convert`` reads the fields again."""
        derived = {"points": self.points, "max_points": self.max_points, "mistake": self.mistake}
        return {**msgspec.to_builtins(self), **derived, "feedback": self.feedback}


def _part_html(part: PartResult) -> str:
    sign = "&#10003;" if part.points == part.max_points else "&#10007;"
    text = f"{sign} {part.points}/{part.max_points} {escaped(part.description)}"
    detail = f'<div style="margin-left:1.4em">{escaped(part.message)}</div>' if part.message else ""
    return f"<div>{text}{detail}</div>"
