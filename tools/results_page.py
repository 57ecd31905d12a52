"""Sphinx extension of the book: the headline results, written again at every build from the records.

A page lists what belongs side by side in a directive, whose argument is what is measured:

    :::{results} nats per test image
    binarized-mnist | kind=nade | test | NADE, 500 hidden units | by pixels
    published | 88.33 | NADE, 500 hidden units | exact likelihood | {cite:t}`larochelle2011`
    :::

A line names an experiment, the settings that pick one of its conditions, the number of its record, the model
and what there is to say of the protocol; parameters, updates and seeds come from the record. A published line
has the figure, the model, the protocol and the source. Below the table each experiment has its command and
how its record came about. An experiment without a record, and a record without the number that a line names,
are warnings, and warnings fail the build.

    :::{speeds}
    :::

is the same for the records of `make bench`, and

    ```{reproducible}
    ```

lists every experiment, with its form for a GPU and whether that has been run.
"""

import math
import re
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import yaml
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from transformer_lib.experiments import EXPERIMENTS
from transformer_lib.experiments.running.results import Results
from transformer_lib.training import Record, read_record

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "book" / "records"
PUBLISHED = "published"
NOT_YET = "*not yet run*"
SPEEDS = "benchmarks"
SAMPLING = "benchmarks-sampling"
BENCHMARKS = {
    SPEEDS: "make bench",
    f"{SPEEDS}-gpu": "make bench DEVICE=cuda",
    SAMPLING: "python -m tests.benchmarks --only generation",
}

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Row:
    """A line of a table: `name` is an experiment's, or `published`."""

    name: str
    middle: str
    number: str
    model: str
    protocol: str

    @classmethod
    def parse(cls, line: str) -> "Row":
        """Read `experiment | settings | number | model | protocol`, or the line of a published figure."""
        fields = [field.strip() for field in line.split("|", maxsplit=4)]
        if len(fields) != 5:
            raise ValueError(
                "a result has five fields, experiment | settings | number | model | protocol or "
                f"published | figure | model | protocol | source: {line!r}"
            )
        row = cls(*fields)
        if row.is_published:
            if not all(fields):
                raise ValueError(
                    f"a published figure has a figure, a model, a protocol and a source: {line!r}"
                )
            return cls(PUBLISHED, fields[4], fields[1], fields[2], fields[3])
        if not row.number:
            raise ValueError(f"a result names the number of its record, such as test: {line!r}")
        return row

    @property
    def is_published(self) -> bool:
        """Whether the figure is somebody else's."""
        return self.name == PUBLISHED

    @property
    def settings(self) -> dict[str, object]:
        """The settings of the condition by name, such as `kind=nade, rate=0.1`; a published line has none."""
        pairs = [pair.split("=", maxsplit=1) for pair in self.middle.split(",") if pair.strip()]
        return {key.strip(): yaml.safe_load(value) for key, value in pairs}


def record_of(name: str) -> Record | None:
    """The committed record of the experiment called `name`, or None while there is none."""
    found = sorted(RECORDS.glob(f"[0-9][0-9]_{name.replace('-', '_')}.json"))
    return read_record(found[0]) if found else None


def command_of(name: str) -> str:
    """What makes the whole record, which may have been made in several sittings."""
    record, plain = record_of(name), name.removesuffix("-gpu")
    if name in BENCHMARKS:
        asked = [] if record is None else record.command
        return " ".join(asked) if "--only" in asked else BENCHMARKS[name]
    which = "" if record is None else f" --seeds {' '.join(map(str, record.seeds))}"
    return f"python -m transformer_lib reproduce {plain}{' --budget gpu' * (plain != name)}{which}"


def shown(value: float, *spread: float) -> str:
    """A number, with as many decimals as its size asks for, and its spread with as many."""
    decimals = 0 if abs(value) >= 1000 else 2 if abs(value) >= 10 else 3
    return " ± ".join(f"{number:,.{decimals}f}" for number in (value, *spread))


def measured(results: Results, row: Row) -> str:
    """The mean with its spread over the seeds and, if that was measured, over the test items."""
    values = results.values(row.number, **row.settings)
    mean, n = math.fsum(values) / len(values), len(values)
    over_seeds = [statistics.stdev(values)] if n > 1 else []
    said = f"{shown(mean, *over_seeds)}<br>{seeds(n)}"
    if (items := number_of(results, row, f"{row.number}_half_width")) is not None:
        said += f"; ± {shown(items)} over the test items"
    return said


def number_of(results: Results, row: Row, *names: str) -> float | None:
    """The mean of the first of these numbers that the row's record has, or None."""
    for name in names:
        try:
            values = results.values(name, **row.settings)
        except ValueError:
            continue
        return math.fsum(values) / len(values)
    return None


def protocol_of(results: Results, row: Row) -> str:
    """What the row says of its protocol, and the parameters and updates of its record."""
    prefix = f"{row.number.rpartition('.')[0]}."
    said = [row.protocol] * bool(row.protocol)
    if (parameters := number_of(results, row, f"{prefix}parameters", "parameters")) is not None:
        said.append(
            f"{parameters / 1e6:.1f} million parameters"
            if parameters >= 1e5
            else f"{parameters:,.0f} parameters"
        )
    if (steps := number_of(results, row, f"{prefix}steps", "steps")) is not None:
        said.append(f"{steps:,.0f} updates")
    return "; ".join(said)


def line_of(row: Row) -> str:
    """The table's row for a line: model, result, and its protocol.

    Raises
    ------
    ValueError
        If the experiment has no record, or the record lacks the number.
    """
    if row.is_published:
        return f"| {row.model} | {row.number} | {row.protocol}<br>{row.middle} |"
    record = record_of(row.name)
    if record is None:
        raise ValueError("there is no record of it yet: leave it out")
    results = Results(record)
    return f"| **{row.model}** | {measured(results, row)} | {protocol_of(results, row)}<br>`{row.name}` |"


def seeds(n: int) -> str:
    """How many seeds, in words."""
    return f"{n} seed{'s' * (n != 1)}"


def provenance(names: Iterable[str]) -> list[str]:
    """A table of the experiments: how each is made again, and how its record was made."""
    table = ["| command | its record |", "|---|---|"]
    for name in dict.fromkeys(names):
        record, said = record_of(name), NOT_YET
        if record is not None:
            runs = record.result.get("runs", [{}])
            where = [run.get("hardware", record.hardware) for run in runs]
            commits = dict.fromkeys((run.get("commit") or record.commit or "unknown")[:10] for run in runs)
            machines = dict.fromkeys(
                f"{one['processor']}, threads {one['threads']}"
                + (f", {one['device']}" if one["device"] != "cpu" else "")
                for one in where
            )
            which = f"seed{'s' * (len(record.seeds) > 1)} {', '.join(map(str, record.seeds))}"
            minutes = f"{record.minutes:,.0f} minutes" if record.minutes >= 0.5 else "under a minute"
            said = f"{minutes}, {which}<br>{'<br>'.join(machines)}"
            said += f"<br>commit{'s' * (len(commits) > 1)} {', '.join(commits)}"
        table.append(f"| `{command_of(name)}` | {said} |")
    return table


def tables(argument: str, rows: list[Row]) -> tuple[list[str], list[str]]:
    """The page's lines for these rows, and what is wrong with them."""
    lines, faults = [f"| model | {argument} | protocol, source |", "|---|---|---|"], []
    for row in rows:
        try:
            lines.append(line_of(row))
        except ValueError as error:
            faults.append(f"{row.name}: {error}")
    return [*lines, "", *provenance(row.name for row in rows if not row.is_published)], faults


def speeds(experiment: str = SPEEDS) -> list[str]:
    """Each case of `make bench`: ours, beside the best peer and what products alone would allow."""
    record = record_of(experiment)
    if record is None:
        return provenance([experiment])
    lines = ["| case | ours, tokens/s | times the best peer | of the products' rate |", "|---|---|---|---|"]
    rows = [row for row in record.result["rows"] if row["unit"] == "tokens/s"]
    for (section, case), group in groupby(rows, key=lambda row: (row["section"], row["case"])):
        medians = {row["name"]: row["median"] for row in group}
        ours = [name for name in medians if name.startswith("ours")]
        peers = [name for name in medians if not name.startswith(("ours", "limit")) and "LSTM" not in name]
        if not peers:
            continue
        single = medians.get("limit, torch", medians.get("limit, products"))
        for name in ours:
            limit = medians.get("limit, bf16") if "bf16" in name else single
            share = "" if limit is None else f"{medians[name] / limit:.0%}"
            same = [p for p in peers if all((mark in p) == (mark in name) for mark in ("bf16", "compiled"))]
            best = max(same, key=lambda peer: medians[peer], default=None)
            ratio = ""
            if best is not None:
                # A long name may break behind its "nn."
                shown_name = re.sub("(, (bf16|compiled))+$", "", best).replace("nn.", "nn.\u200b")
                ratio = f"{medians[name] / medians[best]:.2f} ({shown_name})"
            lines.append(f"| {section}, {case}: {name} | {medians[name]:,.0f} | {ratio} | {share} |")
    return [*lines, "", *provenance([experiment])]


class ResultsTable(SphinxDirective):
    """A table of results beside published figures, and one of what made them."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Expand the listed rows."""
        rows = [Row.parse(line) for line in self.content if line.strip()]
        lines, faults = tables(self.arguments[0], rows)
        for fault in faults:
            logger.warning(fault, location=self.get_location())
        return contained(self, lines)


class SpeedsTable(SphinxDirective):
    """The records of `make bench`: on a processor, of sampling on another one, and on a GPU."""

    def run(self) -> list[nodes.Node]:
        """Make the tables."""
        lines = [*speeds(), "", "Sampling on another processor:", "", *speeds(SAMPLING)]
        return contained(self, [*lines, "", "On a GPU:", "", *speeds(f"{SPEEDS}-gpu")])


def reproducible() -> list[str]:
    """Every experiment: its name, what it measures, its seeds and minutes, and its form for a GPU."""
    lines = ["| experiment | measures | on record |", "|---|---|---|"]
    for name, one in EXPERIMENTS.items():
        on_record = [one.time_on_record()]
        if one.gpu is not None:
            on_record.append(f"on a GPU: {one.gpu.time_on_record()}")
        said = f"{one.description} (chapter {one.chapter})"
        lines.append(f"| `{name}` | {said} | {'<br>'.join(on_record)} |")
    return lines


class Reproducible(SphinxDirective):
    """The table of all experiments."""

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        return contained(self, reproducible())


def contained(directive: SphinxDirective, lines: list[str]) -> list[nodes.Node]:
    """The lines as nodes; the page is read again at each build, for the records may have changed."""
    directive.env.note_reread()
    container = nodes.container(classes=["results"])
    directive.state.nested_parse(
        StringList(lines, directive.get_location()), directive.content_offset, container
    )
    return [container]


def setup(app: Sphinx) -> dict[str, object]:
    """Register the directives."""
    app.add_directive("results", ResultsTable)
    app.add_directive("speeds", SpeedsTable)
    app.add_directive("reproducible", Reproducible)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
