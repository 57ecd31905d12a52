"""The outcome of a question: points, what was wrong in words, the named mistake, hints; as text, as HTML."""

import functools
import re
from dataclasses import dataclass, field
from typing import Any

import jinja2
import msgspec
from markupsafe import Markup

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


# controls, what turns the direction of the text after it or ends a line unseen, and what is no character
STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# the named mistake, the hints and what was printed
HELP = (
    "{% if result.mistakes %}<div>This equals <strong>{{ result.mistakes[0][1] }}</strong>.</div>{% endif %}"
    "{% for told in result.hint_lines() %}<div><em>{{ told }}</em></div>{% endfor %}"
    "{% if result.printed %}"
    "<details><summary>Your code printed</summary><pre>{{ result.printed }}</pre></details>"
    "{% endif %}"
)
IN_NOTEBOOK = (
    '<div style="border-left:4px solid {{ color }};padding:.4em .8em;overflow-wrap:anywhere">'
    "<strong>{{ headline }}</strong>"
    '{% if result.message %}<div style="white-space:pre-wrap">{{ result.message }}</div>{% endif %}'
    "{% for part in result.parts if result.has_parts %}"
    "<div>{% if part.points == part.max_points %}&#10003;{% else %}&#10007;{% endif %}"
    " {{ part.points }}/{{ part.max_points }} {{ part.description }}"
    '{% if part.message %}<div style="margin-left:1.4em">{{ part.message }}</div>{% endif %}'
    f"</div>{{% endfor %}}{HELP}</div>"
)


def presentable(text: str, kept: str = "\n\t") -> str:
    """The text with what steers a terminal or turns the text, and what is no character, written out."""
    return STEERING.sub(lambda found: found[0] if found[0] in kept else ascii(found[0])[1:-1], text)


def _final(value: Any) -> Any:
    return value if isinstance(value, Markup) else presentable(str(value))


_TEMPLATES = jinja2.Environment(
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    finalize=_final,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


@functools.cache
def _template(text: str) -> jinja2.Template:
    return _TEMPLATES.from_string(text)


def rendered(template: str, **given: Any) -> str:
    """HTML by a template, which escapes all that it is given."""
    return _template(template).render(**given)


class NoCase(LookupError):
    """A case that there is not; the message says which there are."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


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
    ``passed_over`` says of the setup's cell that it ended with an error, although the question was judged.
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
    passed_over: str = field(default="", compare=False)

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
        if self.has_parts:
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

    def case(self, number: int, part: str = "") -> Any:
        """The inputs of a case, of a result of ``check``."""
        raise NoCase(f'only what check("{self.question}") returns has its cases with it')

    def _headline(self) -> str:
        points = f"{self.points} of {self.max_points} point{'s' if self.max_points != 1 else ''}"
        meaning = f" - {MEANINGS[self.status]}" if self.status in MEANINGS else ""
        return f"Question {self.question}, {self.title}: {points}{meaning}"

    def __repr__(self) -> str:
        return self.feedback

    @property
    def has_parts(self) -> bool:
        """Whether its parts were judged one by one."""
        return self.status not in WITHOUT_PARTS

    def _repr_html_(self) -> str:
        full = self.points == self.max_points
        color = "#1a7f37" if full else "#b26a00" if self.points else "#8b5a5a"
        return rendered(IN_NOTEBOOK, result=self, headline=self._headline(), color=color)

    def hint_lines(self) -> list[str]:
        """The hints with their numbers, and how to get the next one."""
        lines = [f"Hint {number} on {self.hinted}: {hint}" for number, hint in enumerate(self.hints, 1)]
        if self.more_hints:
            again = f'change your answer and check again, or run hint("{self.question}").'
            lines.append(f"For another hint, {again}" if self.hints else f"For a hint, {again}")
        return lines

    def to_json(self) -> dict[str, Any]:
        """The fields, and what follows from them; ``msgspec.convert`` reads the fields again."""
        derived = {"points": self.points, "max_points": self.max_points, "mistake": self.mistake}
        return {**msgspec.to_builtins(self), **derived, "feedback": self.feedback}
