"""What an instructor sees of a class: the scores, and the most frequent named mistakes of each question."""

import io
import json
import statistics
import tempfile
from collections import Counter
from collections.abc import Sequence
from typing import Any

from autograder.classroom.assessment import Assessment
from autograder.judging.results import UNGRADED

BINS = 10
MISTAKES_SHOWN = 5
UNKNOWN = ("missing", UNGRADED)


def computed(assessments: Sequence[Assessment]) -> dict[str, Any]:
    """The numbers of one exercise; scores are those of the students who submitted something."""
    scored = [a for a in assessments if a.grade.status not in UNKNOWN]
    most = assessments[0].grade.max_points
    totals = [float(a.total) for a in scored]
    counts = [0] * BINS
    for total in totals:
        counts[min(BINS - 1, int(BINS * total / most))] += 1
    return {
        "exercise": assessments[0].grade.exercise,
        "students": len(assessments),
        "statuses": dict(sorted(Counter(a.grade.status for a in assessments).items())),
        "late": sum(a.lateness.late for a in assessments),
        "max_points": most,
        "mean": round(statistics.fmean(totals), 4) if totals else None,
        "median": round(statistics.median(totals), 4) if totals else None,
        "standard_deviation": round(statistics.stdev(totals), 4) if len(totals) > 1 else None,
        "distribution": [
            {"from_percent": 100 * i // BINS, "to_percent": 100 * (i + 1) // BINS, "students": count}
            for i, count in enumerate(counts)
        ],
        "questions": [_question(scored, i) for i in range(len(assessments[0].grade.questions))],
    }


def _question(scored: Sequence[Assessment], place: int) -> dict[str, Any]:
    results = [a.grade.questions[place] for a in scored]
    points = [float(a.question_points[r.question]) for a, r in zip(scored, results, strict=True)]
    mistakes = Counter(r.mistakes[0] for r in results if r.mistakes)
    first = results[0] if results else None
    most = first.max_points if first else None
    return {
        "question": first.question if first else "",
        "title": first.title if first else "",
        "max_points": most,
        "mean": round(statistics.fmean(points), 4) if points else None,
        "full": sum(p == most for p in points),
        "none": sum(p == 0 for p in points),
        "statuses": dict(sorted(Counter(r.status for r in results).items())),
        "mistakes": [
            {"name": name, "explanation": explanation, "students": count}
            for (name, explanation), count in sorted(mistakes.items(), key=lambda item: (-item[1], item[0]))
        ],
    }


def by_exercise(assessments: Sequence[Assessment]) -> list[dict[str, Any]]:
    """Compute the numbers of each exercise."""
    exercises: dict[str, list[Assessment]] = {}
    for assessment in assessments:
        exercises.setdefault(assessment.grade.exercise, []).append(assessment)
    return [computed(group) for _, group in sorted(exercises.items())]


def as_json(found: Sequence[dict[str, Any]]) -> str:
    """The statistics as JSON."""
    return json.dumps({"format_version": 1, "exercises": list(found)}, indent=1, ensure_ascii=False) + "\n"


def as_markdown(found: Sequence[dict[str, Any]]) -> str:
    """The statistics as a page for the instructor."""
    lines = ["# Statistics", ""]
    for one in found:
        statuses = ", ".join(f"{count} {status}" for status, count in one["statuses"].items())
        lines += [f"## {one['exercise']}", "", f"{one['students']} students: {statuses}; {one['late']} late."]
        if one["mean"] is not None:
            spread = (
                f", standard deviation {one['standard_deviation']:.2f}" if one["standard_deviation"] else ""
            )
            lines += [f"Mean {one['mean']:.2f} of {one['max_points']}, median {one['median']:.2f}{spread}."]
        lines += ["", "| score in % | students |", "|---|---|"]
        lines += [
            f"| {b['from_percent']} to {b['to_percent']} | {b['students']} |" for b in one["distribution"]
        ]
        lines += ["", "| question | mean | of | full | none | most frequent named mistakes |"]
        lines.append("|---|---|---|---|---|---|")
        for q in one["questions"]:
            if q["mean"] is None:
                continue
            told = "; ".join(f"{m['students']} x {m['explanation']}" for m in q["mistakes"][:MISTAKES_SHOWN])
            told = told.replace("|", "\\|")
            name, mean = f"{q['question']} {q['title']}", f"{q['mean']:.2f}"
            row = [name, mean, q["max_points"], q["full"], q["none"], told]
            lines.append(f"| {' | '.join(map(str, row))} |")
        lines.append("")
    return "\n".join(lines)


def as_plot(found: Sequence[dict[str, Any]]) -> bytes | None:
    """The distribution of scores and the mean of each question; None where there is no matplotlib."""
    # Where the home cannot be written, matplotlib keeps its cache in a temporary folder, which it removes as
    # the program ends: when those of a run, where it would be made, are gone.
    before, tempfile.tempdir = tempfile.tempdir, None
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except (ImportError, OSError):
        return None
    finally:
        tempfile.tempdir = before
    figure = Figure(figsize=(11, 3.6 * len(found)), layout="constrained")
    rows = figure.subplots(len(found), 2, squeeze=False)
    for (left, right), one in zip(rows, found, strict=True):
        bins = one["distribution"]
        left.bar(
            [b["from_percent"] + 5 for b in bins], [b["students"] for b in bins], width=9.2, color="#33658a"
        )
        left.set(title=f"{one['exercise']}: scores", xlabel="score (% of all points)", ylabel="students")
        left.set_xlim(0, 100)
        left.yaxis.get_major_locator().set_params(integer=True)
        asked = [q for q in one["questions"] if q["mean"] is not None]
        shares = [100 * q["mean"] / q["max_points"] for q in asked]
        bars = right.barh([q["question"] for q in asked], shares, color="#86bbd8")
        right.bar_label(bars, [f"{share:.0f} %" for share in shares], padding=3)
        right.set(title="mean of each question", xlabel="points (% of the question's)", ylabel="question")
        right.set_xlim(0, 112)
        right.set_xticks(range(0, 101, 20))
        right.invert_yaxis()
    stream = io.BytesIO()
    FigureCanvasAgg(figure).print_figure(stream, dpi=110, metadata={"Software": None})
    return stream.getvalue()
