"""Answers that are tried in the proving process lose what they lose in a worker."""

import pytest
from autograder.authoring.layers import Layers
from autograder.authoring.source import Source
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam, chain
from autograder.proving.bench import Bench, drawn_parts
from autograder.worker.session import Session
from grader_cases import SAMPLE

LAYERS = Layers.of(SAMPLE, None)


def bench_of(exam: Exam, source: Source, question: str) -> Bench:
    before = [source.setup, *(source.solutions[q] for q in chain(exam.questions, question))]
    return Bench(exam.questions[question].parts, before, 1.0)


@pytest.mark.parametrize("side", ["right", "wrong"])
def test_an_answer_loses_what_it_loses_in_a_worker(
    side: str, sample_exam: Exam, sample_source: Source, session: Session
) -> None:
    answers = [a for a in LAYERS.bank(side)]
    assert len(answers) > 5
    for answer in answers:
        given = {**sample_source.solutions, answer.question: answer.source}
        result = evaluate(sample_exam, answer.question, sample_source.setup, given, session, advise=False)
        lost, _ = bench_of(sample_exam, sample_source, answer.question).losses(answer.source)
        assert set(lost) == {part.name for part in result.parts if not part.points}, answer


@pytest.mark.parametrize(
    "answer, told",
    [
        ("def masked_mean(values, keep):\n    raise ValueError('no')", "ValueError: no"),
        ("def masked_mean(values, keep):\n    raise SystemExit", "SystemExit"),
        ("def masked_mean(values, keep):\n    while True: pass", "no answer within 1 seconds"),
        ("def masked_mean(values, keep:\n", "SyntaxError"),
        ("import sys\nsys.exit()", "the cell does not define masked_mean"),
        ("x = 1", "the cell does not define masked_mean"),
        ("def masked_mean(values, keep):\n    keep |= True\n    return values.mean(-1)", "mean differs"),
    ],
)
def test_whatever_an_answer_does_is_told(
    answer: str, told: str, sample_exam: Exam, sample_source: Source, capsys: pytest.CaptureFixture
) -> None:
    lost, _ = bench_of(sample_exam, sample_source, "01.3").losses(f"print('seen')\n{answer}")
    assert told.replace("mean differs", "mean") in lost["mean"]
    assert capsys.readouterr() == ("", "")


def test_a_change_of_an_input_costs_the_part(sample_exam: Exam, sample_source: Source) -> None:
    kept = sample_source.solutions["01.3"].replace(
        "    return", "    keep, values = keep.clone(), values\n    return"
    )
    changed = kept.replace("    return", "    values.mul_(2.0)\n    return 0.5 *")
    bench = bench_of(sample_exam, sample_source, "01.3")
    assert bench.losses(kept)[0] == {}
    assert "changes its input values in place" in bench.losses(changed)[0]["mean"]


def test_parts_that_draw_nothing_can_be_left_out() -> None:
    asked = {q.id: q for q in LAYERS.questions()}
    assert [p.name for p in drawn_parts(asked["01.1"], 3)] == ["values", "mask"]
    assert drawn_parts(asked["01.2"], 3, only_drawn=True) == ()
    first, second = (drawn_parts(asked["01.1"], seed) for seed in (3, 4))
    shapes = [[a.shape for c in parts[0].cases for a in c.arrays] for parts in (first, second)]
    assert shapes[0] != shapes[1]
