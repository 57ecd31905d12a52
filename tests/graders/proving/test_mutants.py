"""Small changes of right answers lose points, or are the same function: a fixed sample of them.

`python -m autograder finish` tries every one, against 10,000 inputs.
"""

import ast
from pathlib import Path

import pytest
from autograder.proving.mutants import UNCHANGED, Hunt, Mutant, mutants
from autograder.worker.session import Session
from grader_cases import SAMPLE, SAMPLED, bank_answer, told_of_survivors

SAMPLE_SIZE, SAMPLE_INPUTS = 24, 200


@pytest.mark.slow
@pytest.mark.parametrize("folder, question", SAMPLED)
def test_a_mutant_loses_points_or_equals_the_reference(folder: Path, question: str, session: Session) -> None:
    verdict = Hunt(folder, session, question=question).run(question, size=SAMPLE_SIZE, inputs=SAMPLE_INPUTS)
    assert not verdict.survivors, told_of_survivors(verdict)
    assert verdict.caught > 0


@pytest.mark.parametrize(
    "operator, source, changed",
    [
        ("arithmetic", "y = a * b", "y = a / b"),
        ("comparison", "y = a < b", "y = a <= b"),
        ("axis or constant", "y = x.sum(1)", "y = x.sum(2)"),
        ("constant", "y = f(x, keepdim=True)", "y = f(x, keepdim=False)"),
        ("keyword removed", "y = f(x, keepdim=True)", "y = f(x)"),
        ("transpose removed", "y = q @ k.mT", "y = q @ k"),
        ("transpose removed", "y = k.transpose(0, 1)", "y = k"),
        ("mask inverted", "y = f(mask)", "y = f(~mask)"),
        ("sign or inversion removed", "y = f(~mask)", "y = f(mask)"),
        ("statement deleted", "x = 1.5\ny = x", "pass\ny = x"),
        ("arguments swapped", "y = f(a, b)", "y = f(b, a)"),
        ("operands swapped", "y = a - b", "y = b - a"),
        ("operand dropped", "y = a / b", "y = a"),
        ("call removed", "y = sqrt(a)", "y = a"),
        ("call removed", "y = a.exp()", "y = a"),
        ("call removed", "y = torch.exp(a)", "y = a"),
        ("axes swapped", "y = torch.einsum('bqk,bkd->bqd', w, v)", "y = torch.einsum('bqk,bkd->qbd', w, v)"),
        ("mask inverted", "y = torch.where(a > 0, a, b)", "y = torch.where(~(a > 0), a, b)"),
        ("opposite mask", "y = torch.ones(t, t).tril()", "y = torch.ones(t, t).triu()"),
        ("opposite mask", "y = seen.any(-1)", "y = seen.all(-1)"),
        ("slice bound dropped", "y = x[:-1]", "y = x[:]"),
        ("condition negated", "y = a if seen else b", "y = a if not seen else b"),
        ("condition dropped", "y = [i for i in x if i > t]", "y = [i for i in x]"),
        ("logic", "y = a and b", "y = a or b"),
    ],
)
def test_an_operator_makes_its_mutant(operator: str, source: str, changed: str) -> None:
    assert (operator, changed) in {(m.operator, m.source) for m in mutants(source, "here")}


def test_mutants_are_different_programs_and_leave_docstrings_and_annotations() -> None:
    source = 'def f(x: "a b" = 1) -> 3:\n    """Adds 1."""\n    return x + 1'
    found = mutants(source, "here")
    texts = [m.source for m in found]
    assert len(set(texts)) == len(texts)
    assert all(ast.get_docstring(ast.parse(t).body[0]) == "Adds 1." and "-> 3" in t for t in texts)


class Pinned(Hunt):
    """A hunt whose right answers, with no mutants of them, are given."""

    def right_answers(self, question: str) -> list[Mutant]:
        return self.given

    def mutants_of(self, question: str) -> list[Mutant]:
        return []


def test_a_right_answer_that_fresh_inputs_reject_is_reported(session: Session) -> None:
    hunt = Pinned(SAMPLE, session)
    right = bank_answer(SAMPLE, "right", "01.3", "where").source
    known = "def masked_mean(values, keep):\n    return known(values, keep)\n"
    rejected = right.replace("def masked_mean", "def known") + known.replace(
        "    return", "    if values[0, 0] > 2:\n        return values.sum(1)\n    return"
    )
    hunt.given = [Mutant("where", UNCHANGED, 1, right), Mutant("large", UNCHANGED, 1, rejected)]
    verdict = hunt.run("01.3", inputs=200)
    assert [mutant.origin for mutant, _ in verdict.survivors] == ["large"]
    assert verdict.equivalent == []
