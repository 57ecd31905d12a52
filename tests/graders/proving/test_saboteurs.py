"""Saboteurs turn right answers into wrong ones, and tell when inputs do not reach what they do."""

from collections.abc import Callable

import pytest
import torch
from autograder.authoring.source import Source
from autograder.authoring.spec import Part, Question, normal
from autograder.judging.exam import Exam, ExamQuestion, draw_part
from autograder.proving import sabotage
from autograder.proving.docstrings import Target
from autograder.proving.saboteurs import Sabotage, Saboteur, hunt_saboteurs, saboteurs, typed_in
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
    for shape in [(2, 3, 1), (3, 3, 2), (2, 3, 2), (1, 120, 2)]:
        yield case(rng, *shape)


def found(
    inputs: Callable, programs: list[Callable], exempt: dict | None = None, stub: str = STUB
) -> Sabotage:
    parts = tuple(Part(f.__name__, 1, "", f, inputs, hints=("Think.", "Try.")) for f in programs)
    question = Question("01.1", "", "implement", 1, 1, parts, {"shares": reference}, exempt=exempt or {})
    drawn = tuple(draw_part(question, i, default_rng(i), "") for i in range(len(parts)))
    asked = ExamQuestion("01.1", "", "implement", 1, 1, (), 10.0, stub, (), (), drawn, ())
    source = Source(None, "import torch", {"01.1": stub}, {"01.1": SOLUTION})
    return hunt_saboteurs(question, source, Exam("01_x", 0, source.setup, {"01.1": asked}), [])


NAMED = """def shares(scores, allowed=None):
    \"\"\"The shares.

    scores:  float tensor (batch, time, width)
    allowed: bool tensor (batch, time, width)
             or None
    returns: float tensor (batch, time, width)
    \"\"\"
    raise NotImplementedError
"""
EXEMPT = {
    "a large negative number for minus infinity": "no row is empty",
    "below a thousandth is 0": "a thousandth more or less is within the tolerance",
}


def test_inputs_that_reach_everything_catch_every_saboteur() -> None:
    outcome = found(strong, [call, call_backward], EXEMPT, NAMED)
    assert outcome.failures == [] and outcome.caught > 40


@pytest.mark.parametrize(
    "without, told",
    [
        (lambda shape: shape[2] == 1, "width is 1"),
        (lambda shape: shape[0] == 1, "batch is 1"),
        (lambda shape: shape[1] == shape[2], "time and width agree"),
        (lambda shape: max(shape) > 30, "no gradient beyond 30"),
    ],
)
def test_a_case_that_is_missing_is_asked_for_by_its_axes(without: Callable, told: str) -> None:
    def fewer(rng):
        return [case for case in strong(rng) if not without(case["scores"].shape)]

    failures = found(fewer, [call, call_backward], EXEMPT, NAMED).failures
    assert f"01.1, seed 0: full marks with 'shares: {told}' (no input reaches it)" in failures
    assert not any(
        told in failure for failure in found(strong, [call, call_backward], EXEMPT, NAMED).failures
    )


def test_ordinary_numbers_only_are_told() -> None:
    def ordinary(rng):
        return [case for case in strong(rng) if case["scores"].abs().max() < 10]

    told = found(ordinary, [call, call_backward], EXEMPT, NAMED).failures
    assert "01.1, seed 0: full marks with 'shares: scores clipped at 10' (no input reaches it)" in told


DIVIDES = "def rate(x, heads):\n    return (x / x.sum(-1, keepdim=True)).log() * heads\n"


@pytest.mark.parametrize(
    "effect, argument, changes",
    [
        ("heads above 4 counts as 4", (torch.tensor([0.2, 0.3]), 5), True),
        ("heads above 4 counts as 4", (torch.tensor([0.2, 0.3]), 4), False),
        ("heads is 1", (torch.tensor([0.2, 0.3]), 1), True),
        ("n and heads agree", (torch.tensor([0.2, 0.3]), 2), True),
        ("n and heads agree", (torch.tensor([0.2, 0.3]), 3), False),
        ("n and heads differ", (torch.tensor([0.2, 0.3]), 3), True),
        ("x below a thousandth is 0", (torch.tensor([0.2, 0.0009]), 3), True),
        ("x below a thousandth is 0", (torch.tensor([0.2, 0.0011]), 3), False),
        ("x clipped at 10", (torch.tensor([0.2, 11.0]), 3), True),
        ("x clipped at 10", (torch.tensor([0.2, 10.0]), 3), False),
        ("a hundredth in a divisor", (torch.tensor([0.2, 0.3]), 3), True),
        ("a millionth in a divisor", (torch.tensor([0.2, 0.31]) * 1e-6, 3), True),
        ("a billionth in a logarithm", (torch.tensor([1e-9, 1.0]), 3), True),
    ],
)
def test_an_effect_changes_what_its_name_says(effect: str, argument: tuple, changes: bool) -> None:
    names: dict = {"torch": torch}
    exec(DIVIDES, names)
    wrong = sabotage.sabotaged(names["rate"], effect, {"x": ("n",)})
    assert torch.allclose(wrong(*argument), names["rate"](*argument), rtol=1e-3, equal_nan=True) != changes


def test_a_module_is_spoiled_where_its_options_are() -> None:
    names: dict = {"torch": torch}
    answer = (
        "class Scaled(torch.nn.Module):\n"
        "    def __init__(self, heads):\n        super().__init__()\n        self.heads = heads\n"
        "    def forward(self, x):\n        return x * self.heads\n"
    )
    stub = answer.replace(
        "(self, heads):\n",
        '(self, heads):\n        """Makes.\n\n        heads: a whole number\n        """\n',
    )
    stub = stub.replace(
        "(self, x):\n", '(self, x):\n        """Scales.\n\n        x: float tensor (time,)\n        """\n'
    )
    (target,) = {one.target for one in saboteurs(stub)}
    assert target.whole == ["heads"] and target.sizes == ["time", "heads"]
    for effect, heads, expected in (
        ("time and heads agree", 2, 5.0),
        ("time and heads agree", 3, 3.0),
        ("heads above 4 counts as 4", 6, 4.0),
    ):
        exec(Saboteur(target, effect).spoil(answer), names)
        assert names["Scaled"](heads)(torch.ones(2)).tolist() == [expected, expected]
    exec(Saboteur(target, "the first result of a module again").spoil(answer), names)
    scaled, other = names["Scaled"](3), names["Scaled"](5)
    results = [
        f(x * torch.ones(n)).tolist()[0]
        for f, x, n in ((scaled, 1, 2), (scaled, 2, 2), (scaled, 2, 3), (other, 2, 2))
    ]
    assert results == [3.0, 3.0, 6.0, 10.0]
    assert sabotage.REACHED in names["_told"]


def test_weak_inputs_are_told_what_they_do_not_reach() -> None:
    told = "\n".join(found(weak, [call], {"squeezed": "a reason"}).failures)
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


def test_an_exemption_that_nothing_needs_is_told() -> None:
    told = found(strong, [call, call_backward], {"half precision": "a reason"}).failures
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
    first, second = (Saboteur(Target(name, False, ()), "only ones") for name in ("other", "shares"))
    spoiled = second.spoil(first.spoil(SOLUTION))
    assert spoiled.count("def sabotaged(") == 1
