"""Question 02.2: One step of the sampler."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import near_zero, parameters


def first_steps(rng):
    for p, k, d in sizes(rng, p=5, k=5, d=5):
        yield {
            "t": 0,
            "token": None,
            "read": torch.zeros(k),
            "written": torch.zeros(d),
            **parameters(rng, p, k, d),
        }


def later_step(rng, t, p, k, d):
    token = int(rng.integers(1, d)) if d > 1 else 0
    given = {"t": t, "token": token, "read": normal(rng, k), "written": normal(rng, d)}
    return {**given, **parameters(rng, p, k, d)}


def small_steps(rng):
    for t, more, k, d in sizes(rng, t=5, more=(0, 3), k=4, d=(2, 4)):
        yield later_step(rng, t, t + 1 + more, k, d)
    t = int(rng.integers(260, 270))
    yield later_step(rng, t, t + 10, 2, 2)


def later_steps(rng):
    """Also a token beyond 255, and numbers from a thousandth to a thousand."""
    yield from small_steps(rng)
    d = int(rng.integers(260, 290))
    yield {**later_step(rng, 1, 2, 2, d), "token": d - 1}
    yield from (far_from_zero(rng), steep(rng))
    yield {name: near_zero(rng, v) if hasattr(v, "shape") else v for name, v in steep(rng).items()}


def far_from_zero(rng):
    """What has been read is far from zero, and V and c make up for it."""
    case = later_step(rng, 2, 4, 4, 3)
    case["read"] -= 60
    case["V"][1] += 30
    case["c"][2] += 30
    return case


def steep(rng):
    """Two hidden units of opposite effect: what is written shows differences of a thousandth."""
    case = {
        n: near_zero(rng, v) if hasattr(v, "shape") else v for n, v in later_step(rng, 3, 5, 2, 3).items()
    }
    column = normal(rng, 5, 3, 1, scale=20.0)
    return {**case, "W": torch.cat([column, -column], 2)}


def steps_with_large_sums(rng):
    """Sums of thousands, of both signs: in what is read, and in what is written for all tokens alike."""
    yield from later_steps(rng)
    case = later_step(rng, 2, 4, 4, 3)
    yield {**case, "read": 1000 * torch.tensor([1.0, -1, 2, -2])}
    for sign in (1, -1):
        yield {**case, "written": case["written"] + sign * 1000}
    yield {**case, "b": case["b"] + 30}
    for case in (steep(rng), steep(rng)):
        yield {n: near_zero(rng, v) if hasattr(v, "shape") else v for n, v in case.items()} | {
            "of equal": 1 / 3
        }


def steps_after_zero(rng):
    """The token 0, which is not no token; also where the vocabulary has no other."""
    for case in later_steps(rng):
        yield {**case, "token": 0}
    for t, k in ((1, 3), (2, 1)):
        yield later_step(rng, t, 3, k, 1)


def call_step(student, inputs):
    names = ("t", "token", "read", "written", "V", "c", "W", "b")
    probabilities, read, written = student.sampling_step(*(inputs[name] for name in names))
    return {"probabilities": probabilities, "read": read, "written": written}


def call_probabilities(student, inputs):
    names = ("t", "token", "read", "written", "V", "c", "W", "b")
    probabilities = student.sampling_step(*(inputs[name] for name in names))[0]
    if "of equal" in inputs:
        return {"probabilities, less equal ones": torch.as_tensor(probabilities) - inputs["of equal"]}
    return {"probabilities": probabilities}


def call_cost(student, inputs):
    """A step with parameters for a thousand positions beside one with the few that it needs."""
    from torch.overrides import TorchFunctionMode

    class Count(TorchFunctionMode):
        numbers = 0

        def __torch_function__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            given = {x.untyped_storage().data_ptr() for x in args if isinstance(x, torch.Tensor)}
            if isinstance(result, torch.Tensor) and result.untyped_storage().data_ptr() not in given:
                self.numbers += result.numel()
            return result

    names = ("t", "token", "read", "written", "V", "c", "W", "b")
    few = [inputs[name] for name in names]
    many = few[:4] + [x.repeat(1000 // len(x), *[1] * (x.ndim - 1)) for x in few[4:]]
    with Count() as count:
        long = student.sampling_step(*many)
    short = student.sampling_step(*few)
    other = student.sampling_step(few[0], 0, *few[2:])
    same = [torch.allclose(torch.as_tensor(a), torch.as_tensor(b)) for a, b in zip(long, short)]
    moves = [not torch.allclose(torch.as_tensor(a), torch.as_tensor(b)) for a, b in zip(short, other)]
    return {
        "the same as with few parameters": same,
        "the token matters": moves[1],
        "the step computes more than a thousand numbers": count.numbers > 1000,
    }


def sampling_step(t, token, read, written, V, c, W, b):
    read, written = read.double(), written.double()
    if token is not None:
        read = read + V[t - 1, :, token].double()
    written = written + W[t].double() @ torch.sigmoid(c[t].double() + read)
    return torch.softmax(b[t].double() + written, 0), read, written


QUESTION = Question(
    id="02.2",
    title="One step of the sampler",
    kind="implement",
    difficulty=3,
    minutes=20,
    reference={"sampling_step": sampling_step},
    clauses={
        "at position `t`, counted from 0": ("first", "zero_at_start"),
        "at `t = 0` it is `None`": ("first", "zero_at_start"),
        "the position, from 0": ("first", "zero_at_start"),
        "a whole number, the token at": ("token 0", "token_zero"),
        "It must not add anything up again": ("cost", "all_copied"),
    },
    parts=[
        Part(
            "first",
            1,
            "the first step, without a token",
            call_step,
            inputs=first_steps,
            hints=(
                "At t = 0 no token has been drawn. Work out by hand what is read, what layer 0 writes, and "
                "the probabilities: which of the three differs first?",
                "The step still writes: what is written afterwards is W_0 h_0, and the probabilities "
                "are a softmax.",
                "The two sums contain no biases: c_t and b_t are added where they are used, at this "
                "step only.",
            ),
        ),
        Part(
            "sums",
            1,
            "a later step: what has been read and written after it",
            call_step,
            inputs=later_steps,
            compare=("read", "written"),
            hints=(
                (
                    "Compute both sums of the case by hand: what was given, which matrix reads the token, "
                    "which one writes, and is anything else in them?"
                ),
                "Which of the two sums feeds h_t, and which does h_t feed? h_t reads the token as well: "
                "first read, then write.",
                "What is read is a sum of columns of V, what is written a sum of W_s h_s: no bias is in "
                "them.",
            ),
        ),
        Part(
            "probabilities",
            1,
            "a later step: the probabilities of the next token, with scores of thousands too",
            call_probabilities,
            inputs=steps_with_large_sums,
            rtol=1e-3,
            hints=(
                (
                    "Print the numbers that go into your softmax: which terms is f_t made of, how large "
                    "are they, and do they reach the softmax as they are?"
                ),
                "f_t has the sum over all s up to t, which is what is written after this step, and b_t.",
                "exp(1000) is infinite, and exp(-1000) is zero. PyTorch's softmax subtracts the largest "
                "score first.",
            ),
        ),
        Part(
            "token 0",
            1,
            "a later step after the token 0, which is a token like others",
            call_step,
            inputs=steps_after_zero,
            hints=(
                "What does `if token:` say of the token 0?",
                "None means that there is no token; 0 is the first one of the vocabulary.",
            ),
        ),
        Part(
            "cost",
            1,
            "a step costs the same however many positions there are",
            call_cost,
            inputs=small_steps,
            hints=(
                "Which matrices does a step need? It should touch no others, not even to copy them.",
                "V[t - 1] and W[t] are two matrices of k times d numbers. Convert or multiply these, not "
                "all p of them.",
            ),
        ),
    ],
    exempt={
        "no gradient": "the text asks for a step of the sampler; nothing trains through it",
        "d and token agree": "a token is less than the size of the vocabulary",
        "logarithm of a probability": "the answer is a probability: what is lost is less than 1e-12",
    },
)
