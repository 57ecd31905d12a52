"""Sphinx extension of the book: what each chapter teaches and how many hours a course takes.

The data is `book/teaching.yml`. A chapter's page says in its summary what a reader can do after its
exercises. The page for instructors has

    ```{outcomes}
    ```

for the list of all chapters, and

    ```{course-plan} ten-weeks
    ```

for the table of a plan: the minutes of the exercises are those that their questions state, reading is counted
from the words of the chapters.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "book" / "teaching.yml"
MINUTES = re.compile(r"^\*\d+ points, difficulty \d, (\d+) minutes\.\*", re.MULTILINE)
FENCED = re.compile(r"^(`{3,}).*?^\1", re.MULTILINE | re.DOTALL)
CHAPTER = re.compile(r"chapters/(\d\d_\w+)")


@cache
def teaching() -> dict[str, Any]:
    """The file of outcomes and plans."""
    return yaml.safe_load(DATA.read_text(encoding="utf-8"))


def chapter_named(number: int) -> str:
    """The name of the chapter's folder and file, such as ``06_self_attention``."""
    return next(name for name in teaching()["outcomes"] if name.startswith(f"{number:02}_"))


def words_of(chapter: str) -> int:
    """The words of a chapter's prose; code in fences is not read."""
    cells = json.loads((ROOT / "chapters" / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    texts = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return sum(len(FENCED.sub("", text).split()) for text in texts)


def exercise_minutes(chapter: str) -> int:
    """What all questions of a chapter take together, as they state it."""
    text = (ROOT / "exercises" / chapter / "exercise.md").read_text(encoding="utf-8")
    return sum(map(int, MINUTES.findall(text)))


def tenths(minutes: float) -> int:
    """The minutes in whole tenths of an hour, so that the hours of a table add up as they are shown."""
    return 6 * round(minutes / 6)


@dataclass(frozen=True)
class Week:
    """A week of a plan, in minutes."""

    chapters: list[str]
    exercises: list[str]
    lectures: int
    reading: int
    working: int
    project: int
    also: str

    @property
    def minutes(self) -> int:
        """All of it."""
        return self.lectures + self.reading + self.working + self.project


def weeks_of(plan: str) -> list[Week]:
    """The weeks of a plan."""
    data, made = teaching(), []
    for week in data["plans"][plan]["weeks"]:
        chapters = [chapter_named(number) for number in week["chapters"]]
        exercises = [chapter_named(number) for number in week["exercises"]]
        also = week.get("lecture", "")
        made.append(
            Week(
                chapters,
                exercises,
                data["lecture_minutes"] * (len(chapters) + bool(also)),
                tenths(sum(map(words_of, chapters)) / data["words_per_minute"]),
                tenths(sum(map(exercise_minutes, exercises))),
                60 * week.get("project", 0),
                also,
            )
        )
    return made


def hours(minutes: float) -> str:
    """Minutes as hours with one decimal, or a dash for none."""
    return f"{minutes / 60:.1f}" if minutes else "-"


def plan_lines(plan: str) -> list[str]:
    """The table of a plan, in Markdown; its last row is the sum."""
    hourly = ["lectures", "reading", "exercises", "project"]
    head = ["week", "taught, and read before", "exercises, due a week later", *hourly, "hours"]
    weeks, rows = weeks_of(plan), [head, ["---"] * 3 + ["---:"] * 5]
    for number, week in enumerate(weeks, 1):
        taught = [f"[{int(name[:2])} {title_of(name)}](/chapters/{name}.ipynb)" for name in week.chapters]
        taught += [week.also] if week.also else []
        given = [f"[{int(name[:2])}](/exercises/{name}/exercise.ipynb)" for name in week.exercises]
        parts = [week.lectures, week.reading, week.working, week.project, week.minutes]
        rows.append([str(number), "; ".join(taught), ", ".join(given), *map(hours, parts)])
    sums = [sum(getattr(week, part) for week in weeks) for part in ("lectures", "reading", "working")]
    sums += [sum(week.project for week in weeks), sum(week.minutes for week in weeks)]
    rows.append(["", "**all**", "", *map(hours, sums)])
    return [f"| {' | '.join(row)} |" for row in rows]


@cache
def title_of(chapter: str) -> str:
    """The title that the plan of the book gives a chapter."""
    parts = yaml.safe_load((ROOT / "book" / "plan.yml").read_text(encoding="utf-8"))
    return next(part["chapters"][chapter] for part in parts if chapter in part["chapters"])


def outcome_lines() -> list[str]:
    """The outcomes of all chapters, in Markdown, with the questions that show them."""
    lines = []
    for chapter, outcomes in teaching()["outcomes"].items():
        lines += [f"**{int(chapter[:2])} [{title_of(chapter)}](/chapters/{chapter}.ipynb)**", ""]
        lines += [f"- {outcome['can']} ({', '.join(outcome['shown_by'])})" for outcome in outcomes] + [""]
    return lines


class _Generated(SphinxDirective):
    """A directive whose text is computed."""

    def lines(self) -> list[str]:
        """The text, in Markdown."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Build what the lines say."""
        self.env.note_dependency(str(DATA))
        container = nodes.container(classes=["teaching"])
        self.state.nested_parse(StringList(self.lines(), source=str(DATA)), self.content_offset, container)
        return [container]


class Outcomes(_Generated):
    """`{outcomes}`: what a reader of each chapter can do, and the questions that show it."""

    def lines(self) -> list[str]:
        """The list of all chapters."""
        return outcome_lines()


class CoursePlan(_Generated):
    """`{course-plan} five-weeks`: the weeks of a plan with their hours."""

    required_arguments = 1

    def lines(self) -> list[str]:
        """The table."""
        teaching.cache_clear()
        for week in weeks_of(self.arguments[0]):
            for name in week.chapters:
                self.env.note_dependency(str(ROOT / "chapters" / f"{name}.ipynb"))
        return plan_lines(self.arguments[0])


def say_what_a_reader_can_do(app: Sphinx, doctree: nodes.document) -> None:
    """Put a chapter's outcomes at the end of the list in its summary."""
    chapter = CHAPTER.fullmatch(app.env.docname)
    summary = next((s for s in doctree.findall(nodes.section) if s[0].astext() == "Summary"), None)
    if not chapter or summary is None:
        return
    app.env.note_dependency(str(DATA))
    shown = nodes.bullet_list(bullet="-")
    for outcome in teaching()["outcomes"].get(chapter[1], []):
        text = f"{outcome['can']} ({', '.join(outcome['shown_by'])})"
        shown += nodes.list_item("", nodes.paragraph("", text))
    place = next(at for at, node in enumerate(summary) if isinstance(node, nodes.bullet_list))
    lead = nodes.strong("", "After the exercises you can"), nodes.Text(" (and the questions that show it):")
    summary.insert(
        place + 1, nodes.container("", nodes.paragraph("", "", *lead), shown, classes=["teaching"])
    )


def setup(app: Sphinx) -> dict[str, object]:
    """Register the directives, and what is added to the chapters."""
    app.add_directive("outcomes", Outcomes)
    app.add_directive("course-plan", CoursePlan)
    app.connect("doctree-read", say_what_a_reader_can_do)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
