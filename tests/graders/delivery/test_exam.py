"""The exam: each question has a true answer and a note on marking, and only the instructor's kit has it."""

import math
import re

import pytest
from autograder.authoring.layers import find_exercises
from autograder.delivery.kits import EXAM, exam_questions, instructor_kit, student_kit
from grader_cases import ROOT

EXERCISES = ROOT / "exercises"
TEXT = (EXERCISES / EXAM).read_text(encoding="utf-8")
QUESTION = re.compile(
    r"^## (\d+)\. ([^\n]+) \(chapter (\d+), (\d) minutes\)\n\n(.+?)\n\n"
    r"\*\*Answer\.\*\* (.+?)\n\n\*\*Marking\.\*\* (.+?)\n",
    re.MULTILINE | re.DOTALL,
)
FOUND = [found.groups() for found in QUESTION.finditer(TEXT)]
THIRDS = [1 / 2, 1 / 3, 1 / 6]


def normalized(numbers: list[float]) -> list[float]:
    return [number / sum(numbers) for number in numbers]


def softmax(scores: list[float]) -> list[float]:
    return normalized([math.exp(score) for score in scores])


def by_layer_norm(numbers: list[float]) -> list[str]:
    mean = sum(numbers) / len(numbers)
    variance = sum((number - mean) ** 2 for number in numbers) / len(numbers)
    return [f"{1 + 2 * (number - mean) / math.sqrt(variance):.2f}" for number in numbers]


WEIGHTS, GAINS = [0.7, 0.2, 0.1], [1, 4, 0]
AVERAGE = sum(w * g for w, g in zip(WEIGHTS, GAINS))
ATTENDED = softmax([2 * math.log(3) / math.sqrt(4), 0])
SQUARED = [round(14 * p) for p in normalized([p**2 for p in THIRDS])]
# What stands in the answer of a question, computed.
COMPUTED = {
    1: [f"{9 / 4} bits", f"{9 / 4 * math.log(2):.2f} nats", f"{2 ** (9 / 4):.2f}"],
    2: [f"{32 * sum(range(64)):,}", f"{32 * 63:,}"],
    3: [f"= {1 + sum([1, 2, 4, 8])}.", f"{math.log2(1024):.0f} layers", f"{1024 - 1:,}"],
    4: [f"{2 ** (-1 / 20):.3f}", f"{math.log(2 ** (-1 / 20) / (1 - 2 ** (-1 / 20))):.1f}"],
    6: [f"{8 * ATTENDED[0]:.0f}", f"{8 * softmax([2 * math.log(3), 0])[0]:.1f}"],
    7: [f"{AVERAGE:.1f}", *(f"{w * (g - AVERAGE):.2g}" for w, g in zip(WEIGHTS, GAINS))],
    8: [f"{4 * 512**2:,}", f"{2 * 512**2 + 2 * 512 * 2 * 64:,}"],
    12: by_layer_norm([1, 3, 5, 7]),
    14: [f"{4.2 / 4.5:.3f}"],
    15: [f"{1000 * 64 + 128 * 64 + 4 * 12 * 64**2:,}", f"{1000 * 64:,}"],
    16: [f"{3 / 0.8}", f"{9 * 0.2 / 0.8:.2f}"],
    18: [f"{p}/14" for p in SQUARED] + [f"{round(5 * p)}/5" for p in normalized(THIRDS[:2])],
    19: [f"{min(0.3, 0.6) + min(0.7, 0.4):.1f}"],
    20: [f"{6 * 10**8 * 2 * 10**9 / (0.4 * 10**14):,.0f}", f"{16 * 10**8 / 10**9} GB"],
    21: [f"{0.1 * 0.5**2}", f"{0.8 * 0.5}"],
    22: [f"{6 * 128} words", f"{2 * 24 * 8 * 128 * 2:,}", f"{2 * 24 * 8 * 128 * 2 * 32768 / 2**30:.0f} GiB"],
    23: [f"{(32 // 4) ** 2} tokens", f"{4 * 4 * 3} numbers"],
    25: [f"{1.5 * 10000 / 30000 / math.log(2):.2f}", f"{0.8 + 0.2**2 / 0.6:.3f}"],
}


def test_there_are_questions_on_every_chapter_numbered_from_one() -> None:
    assert [int(number) for number, *_ in FOUND] == list(range(1, len(FOUND) + 1)) and 20 <= len(FOUND) <= 25
    assert TEXT.count("\n## ") == len(FOUND), "a question is not in the form of the others"
    assert {int(chapter) for _, _, chapter, *_ in FOUND} == set(range(1, 21))
    minutes = sum(int(found[3]) for found in FOUND)
    assert f"All of them take {minutes} minutes" in TEXT, (
        f"the exam takes {minutes} minutes: say so at its top"
    )


@pytest.mark.parametrize("found", FOUND, ids=lambda found: found[0])
def test_a_question_is_short_and_its_points_are_its_minutes(found: tuple[str, ...]) -> None:
    number, _, _, minutes, asked, answer, marking = found
    assert 3 <= int(minutes) <= 5 and len(asked.split()) <= 80 and len(answer.split()) <= 90
    assert sum(map(int, re.findall(r"\b(\d): ", marking))) == int(minutes), (
        f"{number}: a point for each minute"
    )
    assert "*The usual wrong answer*" in marking


@pytest.mark.parametrize("number", COMPUTED)
def test_the_numbers_of_an_answer_are_what_a_computer_finds(number: int) -> None:
    answer = FOUND[number - 1][5]
    for text in COMPUTED[number]:
        assert text in answer, f"{number}: computed {text}, which the answer lacks"


def test_the_sheet_has_every_question_and_no_answer() -> None:
    sheet = exam_questions(TEXT)
    for number, title, _, minutes, asked, answer, marking in FOUND:
        assert f"## {number} ({minutes} minutes)\n\n{asked}\n" in sheet
        assert answer not in sheet and marking not in sheet and f"{number}. {title}" not in sheet
    assert "chapter" not in sheet and "Answer" not in sheet and "usual wrong" not in sheet


def test_only_the_instructors_kit_has_the_exam_and_no_page_shows_it() -> None:
    folders = find_exercises(EXERCISES)[:1]
    instructor, student = instructor_kit(EXERCISES, folders), student_kit(EXERCISES, folders)
    assert instructor[f"exercises/{EXAM}"].decode() == TEXT
    assert instructor["exam.md"].decode() == exam_questions(TEXT)
    asked = [found[4].encode() for found in FOUND]
    for name, content in student.items():
        assert not any(text in content for text in asked), f"{name} of the students' kit has an exam question"
    pages = [*ROOT.glob("book/**/*.md"), *ROOT.glob("chapters/*.ipynb"), ROOT / "_toc.yml"]
    for page in pages:
        text = page.read_bytes()
        assert not any(question in text for question in asked), f"{page.name} shows a question of the exam"
        assert not re.search(rb"\{(include|literalinclude|download)\}.*exam/", text), (
            f"{page.name} has the exam"
        )
        assert page.name != "_toc.yml" or b"exam/" not in text
