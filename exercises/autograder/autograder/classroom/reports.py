"""The files of one assessment: the record, a page for the student, and results for Gradescope."""

import json
from typing import Any

from autograder.classroom.assessment import Assessment, number
from autograder.classroom.policy import Override, exact
from autograder.judging.results import HELP, MEANINGS, UNGRADED, Result, presentable, rendered

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: #57606a; --line: #d0d7de;
  --good: #1a7f37; --some: #8a5300; --none: #a4343a; --box: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #9198a1;
  --line: #3d444d; --good: #4ac26b; --some: #e3a03c; --none: #ff8182; --box: #161b22; } }
body { margin: 0 auto; max-width: 48rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 0 0 .3rem; }
section { border-left: 4px solid var(--line); background: var(--box); padding: .6rem .9rem; margin: 1rem 0; }
.good { border-color: var(--good); } .some { border-color: var(--some); } .none { border-color: var(--none); }
ul { list-style: none; margin: .3rem 0; padding: 0; } li { margin: .2rem 0; }
p, section > div { margin: .3rem 0; }
.soft { color: var(--soft); } .said { white-space: pre-wrap; margin-left: 1.4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dd { margin: 0; }
pre { overflow-x: auto; border: 1px solid var(--line); padding: .5rem; }
@media (max-width: 30rem) { dl { display: block; } dd { margin-bottom: .4rem; } }
"""
PAGE = (
    """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ name }}: {{ grade.exercise }}</title>
<style>"""
    + STYLE
    + """\
</style>
</head>
<body>
<main>
<h1>{{ grade.exercise }}: {{ total }}</h1>
<p>{{ name }}</p>
<dl>
{% for label, text in facts %}
<dt>{{ label }}</dt><dd>{{ text }}</dd>
{% endfor %}
</dl>
{% for result, override, title, color in questions %}
<section class="{{ color }}"><h2>{{ title }}</h2>
{% if override %}
<p>Set by your instructor (the grader gave {{ result.points }}): {{ override.reason }}</p>
{% endif %}
{% if result.status in meanings %}
<p>{{ meanings[result.status].capitalize() }}.</p>
{% endif %}
{% if result.message %}
<p class="said">{{ result.message }}</p>
{% endif %}
{% if result.has_parts %}
<ul>
{% for part in result.parts %}
{% if part.points == part.max_points %}
<li><span role="img" aria-label="won">\N{CHECK MARK}</span>
{% else %}
<li><span role="img" aria-label="lost">\N{BALLOT X}</span>
{% endif %}
{{ part.points }}/{{ part.max_points }} {{ part.name }}: {{ part.description }}
{% if part.message %}
<div class="said">{{ part.message }}</div>
{% endif %}
</li>
{% endfor %}
</ul>
{% endif %}
"""
    + HELP
    + """\
</section>
{% endfor %}
</main>
<footer><p class="soft">version {{ made.version }}, sandbox {{ made.sandbox }},
notebook sha256 {{ grade.sha256 or "none" }}</p></footer>
</body>
</html>
"""
)


def written(assessment: Assessment) -> dict[str, str]:
    """The files of an assessment by suffix."""
    record = json.dumps(assessment.to_json(), indent=1, ensure_ascii=False)
    results = json.dumps(gradescope(assessment), indent=1, ensure_ascii=False)
    return {".json": f"{record}\n", ".html": page(assessment), ".results.json": f"{results}\n"}


def out_of(points: Any, most: Any) -> str:
    """Points of a maximum, in words."""
    return f"{exact(points)} of {exact(most)} point{'' if most == 1 else 's'}"


def delay(assessment: Assessment) -> str:
    """'1 day 2 h', or '' for a submission in time."""
    minutes = -(-int(assessment.lateness.by.total_seconds()) // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    named = ((days, "day" if days == 1 else "days"), (hours, "h"), (minutes, "min"))
    return " ".join(f"{count} {unit}" for count, unit in named if count)


def explanations(assessment: Assessment) -> list[tuple[str, str]]:
    """How the total came about, for the student."""
    late, grade = assessment.lateness, assessment.grade
    meaning = grade.message or MEANINGS.get(grade.status, "")
    if assessment.task.chosen is None:
        meaning = "nothing was handed in"
    rows = [("Status", f"{grade.status}: {meaning}" if meaning else grade.status)]
    if assessment.task.chosen is not None:
        submitted = assessment.task.chosen.submitted
        rows.append(("Notebook", grade.submission))
        if submitted is not None:
            rows.append(
                ("Submitted", f"{submitted.time:%Y-%m-%d %H:%M %Z} (according to the {submitted.source})")
            )
    if late.deadline is not None:
        extended = f" (extended: {late.reason or 'no reason given'})" if late.extended else ""
        rows.append(("Deadline", f"{late.deadline:%Y-%m-%d %H:%M %Z}{extended}"))
    if late.late:
        rows.append(("Late", f"{delay(assessment) or late.note}"))
    if late.reduction:
        points, total = exact(assessment.points), exact(assessment.total)
        rows.append(("Reduction", f"{exact(late.reduction * 100)} % of {points} points leaves {total}"))
    rows += [("Not graded", other) for other in assessment.task.others]
    return rows


def page(assessment: Assessment) -> str:
    """Feedback as one self-contained HTML file."""
    grade, student = assessment.grade, assessment.task.student
    return rendered(
        PAGE,
        name=student.name or student.key,
        grade=grade,
        made=grade.conditions,
        total=out_of(assessment.total, grade.max_points) if assessment.is_known else "not graded",
        facts=explanations(assessment),
        questions=[
            _question(result, override)
            for result in grade.questions
            if (override := assessment.overrides.get(result.question)) or assessment.task.chosen
        ],
        meanings=MEANINGS,
    )


def _question(result: Result, override: Override | None) -> tuple[Result, Override | None, str, str]:
    """What the page shows of a question: the result, points set by hand, its title, and its color."""
    points = override.points if override else result.points
    color = "good" if points == result.max_points else "some" if points else "none"
    return result, override, f"{result.question} {result.title} - {out_of(points, result.max_points)}", color


def gradescope(assessment: Assessment) -> dict[str, Any]:
    """The results.json of a Gradescope autograder: one test per question, the score after lateness."""
    grade = assessment.grade
    points = assessment.question_points
    output = presentable("\n".join(f"{label}: {text}" for label, text in explanations(assessment)))
    if grade.status == UNGRADED:
        return {"score": 0, "output": output, "output_format": "text", "visibility": "visible", "tests": []}
    tests = []
    for number_, result in enumerate(grade.questions, 1):
        override = assessment.overrides.get(result.question)
        told = f"Set by the instructor: {override.reason}\n" if override else ""
        full = points[result.question] == result.max_points
        tests.append(
            {
                "name": f"{result.question} {result.title}",
                "number": str(number_),
                "score": number(points[result.question]),
                "max_score": result.max_points,
                "status": "passed" if full else "failed",
                "output": told + result.feedback,
                "output_format": "text",
                "visibility": "visible",
            }
        )
    return {
        "score": number(assessment.total),
        "output": output,
        "output_format": "text",
        "visibility": "visible",
        "tests": tests,
        "extra_data": {
            "max_score": grade.max_points,
            **{name: getattr(grade.conditions, name) for name in ("seed", "version", "sandbox")},
        },
    }
