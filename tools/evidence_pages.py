"""Sphinx extension of the book: the evidence of a chapter's verdicts, written again at every build.

A page has a line

    ```{evidence} 6
    ```

and gets a section for each verdict of chapter 6, with its contrasts, and one for each record that they read,
with all its conditions. A line of its body names a record that no verdict reads, and its numbers to show:

    ```{evidence} 1
    windows nats kept
    ```

Every number is computed from the records.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from claims_ledger import chapters, label_of
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from transformer_lib.experiments import EXPERIMENTS, VERDICTS, Results, load_results
from transformer_lib.experiments.running.verdict_box import draw_effects
from transformer_lib.experiments.running.verdicts import (
    Arm,
    Contrast,
    Verdict,
    bounds_text,
    number_text,
    places_of,
)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Lines of a table in Markdown."""
    head = list(head)
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)] + [""]


def settings_text(settings: Mapping[str, Any]) -> str:
    """Settings in a line."""
    return ", ".join(f"{name} = {value}" for name, value in settings.items()) or "none"


def arm_text(contrast: Contrast, arm: Arm) -> str:
    """The side of a contrast: its settings, and the value of the grid that it took, marked at an edge."""
    if not arm.settings and contrast.against is not None:
        return "a constant"
    text = settings_text(arm.settings)
    if contrast.grid is not None:
        text += f"; best {contrast.grid} {arm.chosen}"
        text += f" of {', '.join(map(str, arm.grid))}"
        text += " (**at the edge of its grid**)" * arm.is_at_edge
    return text


def verdict_lines(verdict: Verdict, chapter: int) -> list[str]:
    """What the section of a verdict says."""
    link = f"{{doc}}`chapter {chapter} <{page_of(chapter)}>`"
    lines = [f"**{verdict.status.capitalize()}.** {verdict.sentence} ({link})", ""]
    effects = verdict.effects(load_results)
    if effects:
        lines += ["```{raw} html", f'<div class="verdict-box">{draw_effects(effects)}</div>', "```", ""]
    for effect in effects:
        contrast = effect.contrast
        lines.append(
            f"- *{contrast.label}*: {arm_text(contrast, effect.one)}; against "
            f"{arm_text(contrast, effect.other)}. Record {contrast.experiment}, number `{contrast.number}`"
            + f" against `{contrast.other_number}`" * bool(contrast.other_number)
            + "."
            + " **Open**: the interval includes zero." * effect.is_open
            + f" The sides differ in {', '.join(contrast.differences)}: {contrast.reason}."
            * contrast.is_joint
        )
    lines.append("")
    lines += [f"Proven by the test `{verdict.proven}`.", ""] * bool(verdict.proven)
    lines += [f"*Not varied:* {verdict.open}.", ""] * bool(verdict.open)
    return lines


def record_lines(results: Results, numbers: list[str]) -> list[str]:
    """How a record came about, and its conditions with the numbers that verdicts compare."""
    record = results.record
    where = record.hardware
    fixed = {name: value for name, value in record.config.items() if name != "conditions"}
    lines = [
        f"`{' '.join(record.command)}`",
        "",
        f"Seeds {', '.join(map(str, record.seeds))}; {record.minutes:.0f} minutes on {where['processor']}, "
        f"{where.get('threads', 1)} threads; commit `{record.commit}`.",
        "",
        f"Fixed: {settings_text(fixed)}.",
        "",
    ]
    conditions: dict[str, dict[str, Any]] = {
        str(run.get("settings", {})): run.get("settings", {}) for run in record.result["runs"]
    }
    varied = list(dict.fromkeys(name for settings in conditions.values() for name in settings))
    rows = []
    for settings in conditions.values():
        row = [str(settings.get(name, "")) for name in varied]
        for number in numbers:
            row.append(cell(results, number, settings))
        rows.append(row)
    breakable = (number.replace(".", ".\u200b") for number in numbers)
    return lines + table([*varied, *breakable], rows)


def cell(results: Results, number: str, settings: dict[str, Any]) -> str:
    """A number over the seeds, with its interval; several seeds that agree have none."""
    found = results.interval(number, **settings)
    bounds = bounds_text(found) if found.half_width else ""
    return number_text(found.mean, places_of(found)) + bounds


def page_of(chapter: int) -> str:
    """The document of a chapter."""
    return f"/chapters/{chapters()[chapter].stem}"


class Evidence(SphinxDirective):
    """The sections of a chapter's verdicts and of the records that they read."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Write the sections."""
        self.env.note_reread()
        chapter = int(self.arguments[0])
        verdicts = VERDICTS.get(chapter, [])
        found = [
            self.section(f"Claim {v.claim}", label_of(chapter, v.claim), verdict_lines(v, chapter))
            for v in verdicts
        ]
        read: dict[str, list[str]] = {}
        for contrast in (c for v in verdicts for c in v.contrasts):
            for name in filter(None, (contrast.experiment, contrast.other_experiment)):
                known = read.setdefault(name, [])
                compared = (contrast.number, contrast.other_number, contrast.by)
                known += [n for n in compared if n and n not in known]
        read |= {name: numbers for name, *numbers in map(str.split, self.content)}
        for name, numbers in read.items():
            title = f"Record {name}: {EXPERIMENTS[name].description}"
            found.append(
                self.section(title, f"record-{chapter:02}-{name}", record_lines(load_results(name), numbers))
            )
        return found

    def section(self, title: str, label: str, lines: list[str]) -> nodes.section:
        """A section with a label that other pages can link to."""
        section = nodes.section(names=[label])
        section += nodes.title(title, title)
        self.state.document.note_explicit_target(section)
        self.state.nested_parse(StringList(lines, self.get_location()), self.content_offset, section)
        return section


def setup(app: Sphinx) -> dict[str, object]:
    """Register the directive."""
    app.add_directive("evidence", Evidence)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
