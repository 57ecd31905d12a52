"""Question 16.5: Linear attention in both forms."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import gates


def text(rng, batch, time, d_key, d_value, low=1.0):
    return {
        "query": normal(rng, batch, time, d_key),
        "key": normal(rng, batch, time, d_key),
        "value": normal(rng, batch, time, d_value),
        "forget": gates(rng, batch, time, low=low),
    }


AXES = {"batch": 3, "time": 6, "d_key": 5, "d_value": 4}


def texts(rng, low):
    """Sizes of every kind, a long text, and large, small and far negative numbers."""
    for shape in sizes(rng, **AXES):
        yield text(rng, *shape, low=low)
    yield text(rng, 1, int(rng.integers(101, 108)), 2, 2, low=low)
    for query, key, value in ((30.0, 1.0, 30.0), (1.0, 30.0, 2e-3), (2e-3, 2e-3, 1.0)):
        case = text(rng, 2, 4, 3, 2, low=low)
        case |= {"query": query * case["query"].abs(), "key": key * case["key"].abs()}
        yield case | {"value": value * case["value"]}
    case = text(rng, 2, 4, 3, 2, low=low)
    case = {name: part.double() for name, part in case.items()}
    yield case | {"query": case["query"] / 4 - 9, "key": case["key"] / 4 - 9}


def open_texts(rng):
    yield from texts(rng, low=1.0)


def gated_texts(rng):
    yield from texts(rng, low=0.3)
    case = text(rng, 2, 4, 3, 2)
    yield case | {"forget": 1e-3 * gates(rng, 2, 4, low=0.3)}


def closed_texts(rng):
    """Somewhere in each text a gate is 0; in one, a product of many small gates is too small for a number."""
    for batch, time, d_key, d_value in [(2, 5, 3, 2), (2, 5, 3, 2), (3, 3, 2, 4), (1, 6, 4, 1)]:
        case = text(rng, batch, time, d_key, d_value, low=0.3)
        case["forget"][:, int(rng.integers(1, time - 1))] = 0.0
        yield case
    case = text(rng, 1, 60, 2, 2)
    yield case | {"forget": 1e-3 * gates(rng, 1, 60, low=0.3)}


def word(rng, batch, d_key, d_value):
    return {
        "matrix": normal(rng, batch, d_key, d_value),
        "total": gates(rng, batch, d_key, low=0.5, high=3.0),
        "query": normal(rng, batch, d_key),
        "key": normal(rng, batch, d_key),
        "value": normal(rng, batch, d_value),
        "forget": gates(rng, batch),
    }


def one_word(rng):
    """Also empty memories, gates of 0, large and small numbers, and values of more than a hundred numbers."""
    for shape in sizes(rng, batch=4, d_key=5, d_value=5, far={"d_value": 105}):
        yield word(rng, *shape)
    case = word(rng, 3, 2, 4)
    empty = {"matrix": torch.zeros_like(case["matrix"]), "total": torch.zeros_like(case["total"])}
    yield case | empty
    yield word(rng, 3, 2, 4) | {"forget": torch.tensor([0.0, 1.0, 2e-4])}
    for unit in (2e-3, 30.0):
        case = word(rng, 2, 3, 2)
        yield case | {name: unit * case[name] for name in ("matrix", "total", "value")}
        case = word(rng, 2, 3, 2)
        yield case | {name: unit * case[name].abs() for name in ("query", "key")}
    # rows of opposite signs, so that queries below a thousandth decide what is read
    case = word(rng, 2, 2, 3)
    case["matrix"][:, 0], case["matrix"][:, 1] = 30.0, -30.0
    yield case | {"query": torch.tensor([[9e-4, -9e-4], [-9e-4, 9e-4]]), "forget": torch.ones(2)}
    case = {name: part.double() for name, part in word(rng, 2, 3, 2).items()}
    case |= {"query": case["query"] / 4 - 9, "key": case["key"] / 4 - 9}
    yield case | {"matrix": 1e-4 * case["matrix"], "total": 1e-4 * case["total"]}


def sent_back(rng):
    for batch, time, d_key, d_value in [*sizes(rng, **AXES), (1, 33, 2, 2), (1, 2, 2, 33)]:
        case = text(rng, batch, time, d_key, d_value, low=0.3)
        one = word(rng, batch, d_key, d_value)
        yield {
            **case,
            **{f"{name} of step": part for name, part in one.items()},
            "upstream": normal(rng, batch, time, d_value),
            "upstream of step": normal(rng, batch, d_value),
            "upstream of matrix": normal(rng, batch, d_key, d_value),
            "upstream of total": normal(rng, batch, d_key),
        }


def call_attend(student, inputs):
    names = ("query", "key", "value", "forget")
    return {"output": student.attend(*(inputs[name] for name in names))}


def call_step(student, inputs):
    names = ("matrix", "total", "query", "key", "value", "forget")
    output, matrix, total = student.step(*(inputs[name] for name in names))
    return {"output": output, "matrix": matrix, "total": total}


def call_backward(student, inputs):
    names = ("query", "key", "value", "forget")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    (student.attend(*leaves.values()) * inputs["upstream"]).sum().backward()
    of_step = {
        name: inputs[name].clone().requires_grad_()
        for name in (f"{name} of step" for name in ("matrix", "total", *names))
    }
    results = student.step(*of_step.values())
    wanted = (inputs[f"upstream of {name}"] for name in ("step", "matrix", "total"))
    sum((result * upstream).sum() for result, upstream in zip(results, wanted)).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in (leaves | of_step).items()
    }


def features(x):
    x = x.double()
    return torch.where(x > 0, x + 1, x.clamp(max=0).exp())


def attend(query, key, value, forget):
    query, key, value, forget = features(query), features(key), value.double(), forget.double()
    a = forget.new_zeros(*forget.shape, forget.shape[1])
    for s in range(forget.shape[1]):
        left = torch.cat([torch.ones_like(forget[:, :1]), forget[:, s + 1 :]], 1).cumprod(1)
        a[:, s:, s] = left * (query[:, s:] * key[:, s, None]).sum(2)
    return (a[..., None] * value[:, None]).sum(2) / a.sum(2)[..., None]


def step(matrix, total, query, key, value, forget):
    query, key, value, forget = features(query), features(key), value.double(), forget.double()
    matrix = torch.stack([f * S for f, S in zip(forget, matrix.double())]) + key[:, :, None] * value[:, None]
    total = torch.stack([f * z for f, z in zip(forget, total.double())]) + key
    return torch.einsum("bk,bkv->bv", query, matrix) / (query * total).sum(1)[:, None], matrix, total


QUESTION = Question(
    id="16.5",
    title="Linear attention in both forms",
    kind="implement",
    difficulty=4,
    minutes=30,
    reference={"attend": attend, "step": step},
    needs=("16.1",),
    exempt={
        "forget clipped at 10": "gates lie between 0 and 1",
    },
    clauses={
        "numbers between 0 and 1": "said of the inputs, which are such",
        "may be exactly 0 or 1": ("closed gates", "divided"),
        "Models train through both forms": ("gradients", "detached"),
    },
    parts=[
        Part(
            "open gates",
            1,
            "all places at once, with gates of 1",
            call_attend,
            inputs=open_texts,
            hints=(
                "Take a text of two words. What does the first read, and what are the two weights of the "
                "second?",
                "Features of queries and keys, their products, what is not later, rows that sum to 1.",
            ),
        ),
        Part(
            "gates",
            2,
            "all places at once, with gates that forget",
            call_attend,
            inputs=gated_texts,
            hints=(
                "Which gates stand in the weight of word 1 at word 3? Does any word meet its own?",
                "Both sums contain the gates, above the line and below it.",
            ),
        ),
        Part(
            "closed gates",
            1,
            "gates of 0, and products too small for a number",
            call_attend,
            inputs=closed_texts,
            hints=(
                "A gate of 0 at word 3: what do words 3 and 4 read of the words before?",
                "Divide by no product of gates, and take the logarithm of none.",
            ),
        ),
        Part(
            "step",
            2,
            "one word, from any memory",
            call_step,
            inputs=one_word,
            hints=(
                "In which order does the text fade, write and read?",
                "Both parts of the memory fade by the same gate, and the word itself is read as well.",
                "The output is a quotient. What stands above the line is a vector, below it a number.",
            ),
        ),
        Part(
            "gradients",
            2,
            "the gradients of both forms reach all that they read",
            call_backward,
            inputs=sent_back,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Call backward on (result * upstream).sum() with random upstream, for each form. Is one of "
                "the gradients None, zero or NaN?",
                "What is given wrong has wrong gradients too. Where it is right, something cuts the "
                "gradient off.",
            ),
        ),
    ],
)
