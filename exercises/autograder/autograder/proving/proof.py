"""The proof of a grader: right answers get full marks, wrong ones lose what they declare, for that reason."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.authoring.bank import BankAnswer
from autograder.authoring.layers import Layers
from autograder.authoring.source import Source
from autograder.authoring.spec import Question
from autograder.authoring.version import bare
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import PUBLIC_SEED, Exam, chain
from autograder.judging.fixtures import exam_text, read_exam
from autograder.judging.results import Result
from autograder.proving.bench import Bench, drawn_parts
from autograder.proving.clauses import gaps, question_texts
from autograder.proving.saboteurs import SAME_SHAPES, Sabotage, hunt_saboteurs
from autograder.worker.session import Session

SEEDS = (PUBLIC_SEED, 1, 2)
MORE_SEEDS = range(3, 20)
MIN_RIGHT = {"implement": 3}
MIN_RIGHT_ELSE, MIN_WRONG = 2, 4


@dataclass(frozen=True)
class Proof:
    """An exercise with its bank and its exams: the public one as fixtures hold it, the others fresh."""

    specified: dict[str, Question]
    source: Source
    texts: dict[str, str]
    right: list[BankAnswer]
    wrong: list[BankAnswer]
    exams: list[Exam]

    @classmethod
    def of(
        cls, folder: Path, session: Session, overlay: Path | None = None, question: str | None = None
    ) -> "Proof":
        """Read an exercise and its bank, and compute its exams, or what of them one question needs."""
        layers = Layers.of(folder, overlay)
        exams = [Exam.at_seed(folder, seed, session, overlay, question) for seed in SEEDS]
        exams[0] = read_exam(exam_text(exams[0]), "fixtures.json")
        specified = {q.id: q for q in layers.questions()}
        source = layers.source()
        return cls(
            specified, source, question_texts(source), layers.bank("right"), layers.bank("wrong"), exams
        )

    @property
    def questions(self) -> list[str]:
        """The ids of the questions."""
        return list(self.exams[0].questions)

    def result(self, exam: Exam, question: str, answer: str, session: Session) -> Result:
        """Grade one answer, after the solutions that it builds on."""
        return evaluate(
            exam, question, self.source.setup, {**self.source.solutions, question: answer}, session
        )

    def failures(self, question: str, session: Session) -> Iterator[str]:
        """What is wrong with the grader of one question, one sentence for each problem."""
        right = [answer for answer in self.right if answer.question == question]
        wrong = [answer for answer in self.wrong if answer.question == question]
        kind = self.exams[0].questions[question].kind
        needed, styles = MIN_RIGHT.get(kind, MIN_RIGHT_ELSE), len({bare(answer.source) for answer in right})
        if styles < needed:
            yield f"{question}: {styles} different right answers in the bank; at least {needed} are needed"
        if len(wrong) < MIN_WRONG:
            yield f"{question}: {len(wrong)} named mistakes in the bank; at least {MIN_WRONG} are needed"
        for part in self.exams[0].questions[question].parts:
            if not any(part.name in answer.loses for answer in wrong):
                yield f"{question}: no named mistake loses the part {part.name!r}"
        answers = {"the solution in exercise.md": self.source.solutions[question]}
        answers |= {str(answer): answer.source for answer in right}
        for exam in self.exams:
            for name, answer in list(answers.items()):
                result = self.result(exam, question, answer, session)
                if (result.points, result.status) != (result.max_points, "ok"):
                    del answers[name]  # one seed is enough to tell
                    yield f"{question}, seed {exam.seed}: {name} should have full marks:\n{result.feedback}"
            for mistake in list(wrong):
                if failures := list(self._wrong_failures(exam, mistake, session)):
                    wrong.remove(mistake)
                    yield from failures
            stub = self.result(exam, question, self.source.stubs[question], session)
            if (stub.points, stub.status) != (0, "empty"):
                yield f"{question}, seed {exam.seed}: the stub should be 'not answered yet':\n{stub.feedback}"
        yield from self._at_more_seeds(question, answers, wrong)
        yield from self._same_shapes(question)
        mistakes = {answer.name: answer.loses for answer in self.wrong if answer.question == question}
        yield from gaps(self.specified[question], self.texts[question], self.source.stubs[question], mistakes)

    def _at_more_seeds(self, question: str, right: dict[str, str], wrong: list[BankAnswer]) -> Iterator[str]:
        """Answers that lose other parts at another seed: their points would depend on luck."""
        asked, exam = self.specified[question], self.exams[0]
        before = [self.source.setup, *(self.source.solutions[q] for q in chain(exam.questions, question))]
        declared = [(name, source, set[str]()) for name, source in right.items()]
        first = Bench(exam.questions[question].parts, before)
        for mistake in wrong:
            if set(first.losses(mistake.source)[0]) == set(
                mistake.loses
            ):  # what a worker alone can tell is left
                declared.append((str(mistake), mistake.source, set(mistake.loses)))
        for seed in MORE_SEEDS:
            parts = drawn_parts(asked, seed, only_drawn=True)
            names, bench = {part.name for part in parts}, Bench(parts, before)
            for one in list(declared) if parts else ():
                lost = bench.losses(one[1])[0]
                if set(lost) != one[2] & names:
                    declared.remove(one)
                    found = "; ".join(f"{name!r}: {told}" for name, told in lost.items()) or "nothing"
                    asked_for = sorted(one[2]) or "nothing"
                    yield f"{question}, seed {seed}: {one[0]} should lose {asked_for}; it loses {found}"

    def _same_shapes(self, question: str) -> Iterator[str]:
        """Whether all seeds have inputs of the same shapes."""
        shapes = [
            [[a.shape for a in case.arrays] for part in exam.questions[question].parts for case in part.cases]
            for exam in self.exams
        ]
        exempt = SAME_SHAPES in self.specified[question].exempt
        same = any(map(any, shapes[0])) and all(found == shapes[0] for found in shapes[1:])
        if same and not exempt:
            yield f"{question}: {SAME_SHAPES}: draw them (authoring.sizes), or exempt it with a reason"
        if exempt and not same:
            yield f"{question}: exempts {SAME_SHAPES!r}, and its shapes differ"

    def sabotage(self, question: str) -> Sabotage:
        """What becomes of the saboteurs at the public seed."""
        right = [answer.source for answer in self.right if answer.question == question]
        return hunt_saboteurs(self.specified[question], self.source, self.exams[0], right)

    def _wrong_failures(self, exam: Exam, wrong: BankAnswer, session: Session) -> Iterator[str]:
        result = self.result(exam, wrong.question, wrong.source, session)
        told = f"{wrong.question}, seed {exam.seed}: {wrong}"
        lost = {part.name for part in result.parts if part.points < part.max_points}
        if result.status != "ok":
            yield f"{told} should have status ok, not {result.status}:\n{result.feedback}"
        elif lost != set(wrong.loses):
            found = ", ".join(sorted(lost)) or "nothing"
            yield f"{told} should lose {', '.join(wrong.loses)}; it loses {found}:\n{result.feedback}"
        elif result.mistake != wrong.name:
            yield f"{told} should be named first; named is {result.mistake}"
