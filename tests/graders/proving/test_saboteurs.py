"""Saboteurs turn right answers into wrong ones, and tell when inputs do not reach what they do."""

from collections.abc import Callable

import pytest
import torch
from autograder.authoring.source import Source
from autograder.authoring.spec import Part, Question, normal
from autograder.judging.exam import Exam, ExamQuestion, draw_part
from autograder.proving import sabotage
from autograder.proving.saboteurs import Sabotage, Saboteur, hunt_saboteurs, saboteurs, typed_in
from autograder.worker.session import Session
from numpy.random import default_rng

STUB = "def shares(scores, allowed=None):\n    raise NotImplementedError"
SOLUTION = """def shares(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    return scores.softmax(-1)
"""


def reference(scores, allowed=None):
    inside = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    return torch.where(inside, scores.double(), -torch.inf).softmax(-1)


def call(student, inputs):
    return {"shares": student.shares(*inputs.values())}


def call_backward(student, inputs):
    scores = inputs["scores"].clone().requires_grad_()
    rest = [inputs["allowed"]] if "allowed" in inputs else []
    (student.shares(scores, *rest) * inputs["scores"].cos()).sum().backward()
    return {"gradient": scores.grad}


def case(rng, batch, time, width, offset=0.0, mask=False):
    scores = normal(rng, batch, time, width)
    scores = scores + torch.linspace(-offset, offset, batch * time).reshape(batch, time, 1)
    scores[..., 0] += offset / 10
    allowed = torch.ones(batch, time, width, dtype=torch.bool)
    allowed[..., 0] = not mask
    return {"scores": scores, "allowed": allowed} if mask else {"scores": scores}


def weak(rng):
    yield case(rng, 2, 3, 4)


def strong(rng):
    for mask in (False, True):
        for offset in (0.0, 2000.0):
            for shape in [(2, 3, 4), (2, 3, 4), (1, 3, 2), (3, 1, 2), (2, 3, 3)]:
                yield case(rng, *shape, offset, mask)
    yield case(rng, 1, 120, 2)


def found(
    inputs: Callable, programs: list[Callable], session: Session, exempt: dict | None = None
) -> Sabotage:
    parts = tuple(Part(f.__name__, 1, "", f, inputs, hints=("Think.", "Try.")) for f in programs)
    question = Question("01.1", "", "implement", 1, 1, parts, {"shares": reference}, exempt=exempt or {})
    drawn = tuple(draw_part(question, i, default_rng(i), "") for i in range(len(parts)))
    asked = ExamQuestion("01.1", "", "implement", 1, 1, (), 10.0, STUB, (), (), drawn, ())
    source = Source(None, "import torch", {"01.1": STUB}, {"01.1": SOLUTION})
    return hunt_saboteurs(question, source, Exam("01_x", 0, source.setup, {"01.1": asked}), [], session)


@pytest.mark.slow
def test_inputs_that_reach_everything_catch_every_saboteur(session: Session) -> None:
    exempt = {"a large negative number for minus infinity": "no row is empty"}
    outcome = found(strong, [call, call_backward], session, exempt)
    assert outcome.failures == [] and outcome.caught > 30


@pytest.mark.slow
def test_weak_inputs_are_told_what_they_do_not_reach(session: Session) -> None:
    told = "\n".join(found(weak, [call], session, {"squeezed": "a reason"}).failures)
    for effect in (
        "one in the batch, of several",
        "several in the batch, of one",
        "equal widths",
        "more than a hundred",
        "remembers by shape",
        "no shift in float64",
        "shifted by the largest of all rows",
        "no gradient",
    ):
        assert f"full marks with 'shares: {effect}' (no input reaches it)" in told
    assert "half precision" not in told and "the first of the batch" not in told
    assert "squeezed" not in told, "an exemption lets an effect go"


@pytest.mark.slow
def test_an_exemption_that_nothing_needs_is_told(session: Session) -> None:
    told = found(strong, [call, call_backward], session, {"half precision": "a reason"}).failures
    assert "01.1: exempts 'half precision', which loses points or does not apply" in told


def test_values_stand_in_the_places_of_a_stub() -> None:
    stub = "# question 01.4\nmeans = [..., ...]\nslope = ..."
    assert typed_in(stub, "math.nan") == "# question 01.4\nmeans = [math.nan, math.nan]\nslope = math.nan"
    assert typed_in(STUB, "0") is None


@pytest.mark.parametrize("way", sabotage.EXTREMES[:5])
def test_ways_to_compute_are_equal_until_numbers_are_extreme(way: str) -> None:
    x = 3 * torch.randn(4, 5, generator=torch.Generator().manual_seed(0))
    functions = (torch.softmax, torch.log_softmax, torch.logsumexp)
    right = [function(x, -1) for function in functions]
    with sabotage.Numerics(way):
        ordinary = [function(x, -1) for function in functions]
        extreme = [function(x + 3000 * torch.tensor([[1.0], [-1], [0], [2]]), -1) for function in functions]
    for one, other in zip(right, ordinary):
        torch.testing.assert_close(one, other)
    shifted = [function(x + 3000 * torch.tensor([[1.0], [-1], [0], [2]]), -1) for function in functions]
    assert not all(torch.allclose(one, other, atol=1e-2) for one, other in zip(shifted, extreme))


def test_every_effect_has_a_name_of_its_own() -> None:
    names = [str(one) for one in saboteurs(STUB)]
    assert len(set(names)) == len(names) > 25
    spoiled = Saboteur("shares", "only ones").spoil(Saboteur("other", "only zeros").spoil(SOLUTION))
    assert spoiled.count("def sabotaged(") == 1
