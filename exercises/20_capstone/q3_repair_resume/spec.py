"""Question 20.3: Repair a run that cannot be resumed."""

import torch
from autograder.authoring import Part, Question, sizes

LONG = 10**9  # so many steps that the rate does not fall


def run_of(rng, n, vocab, rows, beta, stops, *, steps=None, peak=None):
    tokens = torch.from_numpy(rng.integers(0, vocab, n))
    tokens[0], tokens[1] = 0, vocab - 1
    return {
        "tokens": tokens,
        "vocab": vocab,
        "rows": rows,
        "peak": float(rng.uniform(0.5, 3.0)) if peak is None else peak,
        "beta": beta,
        "steps": stops[-1] + int(rng.integers(0, 5)) if steps is None else steps,
        "stops": list(stops),
    }


def stops_of(rng, n=2):
    return [int(stop) for stop in rng.integers(2, 6, n).cumsum()]


def momenta(rng):
    """One pair, so all batches are equal, and a rate that does not fall."""
    for vocab, rows in sizes(rng, vocab=(2, 6), rows=5):
        yield run_of(rng, 2, vocab, rows, float(rng.uniform(0.5, 0.9)), stops_of(rng), steps=LONG)
    size = int(rng.integers(2, 6))
    yield run_of(rng, size, size, size, 0.5, [size], steps=size)


def random_batches(rng):
    """No momentum, and a rate that does not fall."""
    for n, vocab, rows in sizes(rng, n=(12, 30), vocab=(3, 6), rows=4, far={"n": 120}):
        case = run_of(rng, n, vocab, rows, 0.0, stops_of(rng), steps=LONG)
        yield case
    yield {**case, "peak": case["peak"] / 2}


def falling(rng):
    """One pair and no momentum."""
    for vocab, rows in sizes(rng, vocab=(2, 6), rows=5):
        yield run_of(rng, 2, vocab, rows, 0.0, stops_of(rng))
    yield run_of(rng, 2, 3, 2, 0.0, [1], steps=1)


def kept(rng):
    """One pair, no momentum, a rate that does not fall; one goes on from a state twice."""
    for vocab, rows in sizes(rng, vocab=(2, 6), rows=5):
        yield run_of(rng, 2, vocab, rows, 0.0, stops_of(rng), steps=LONG)


def everything(rng):
    for n, vocab, rows in sizes(
        rng, n=(12, 30), vocab=(3, 7), rows=(1, 5), far={"n": 120, "vocab": 110, "rows": 110}
    ):
        yield run_of(rng, n, vocab, rows, float(rng.uniform(0.3, 0.95)), stops_of(rng, 4))
    yield run_of(rng, 20, 4, 3, 0.9, [1, 2, 3, 4], steps=4)
    yield run_of(rng, 20, 4, 3, 0.5, stops_of(rng, 3), peak=4000.0)
    yield run_of(rng, 20, 300, 3, 0.5, stops_of(rng, 3))
    yield run_of(rng, 6, 1, 2, 0.5, stops_of(rng, 3))


def call_resumed(student, inputs):
    given = {name: inputs[name] for name in ("tokens", "vocab", "rows", "peak", "beta", "steps")}
    state, found = None, []
    for stop in inputs["stops"]:
        state = student.train(**given, stop=stop, state=state)
        found.append(torch.as_tensor(state["W"]).clone())
    return {"W": torch.stack(found)}


def call_twice(student, inputs):
    given = {name: inputs[name] for name in ("tokens", "vocab", "rows", "peak", "beta", "steps")}
    *before, last = inputs["stops"]
    state = None
    for stop in before:
        state = student.train(**given, stop=stop, state=state)
    once = torch.as_tensor(student.train(**given, stop=last, state=state)["W"]).clone()
    again = torch.as_tensor(student.train(**given, stop=last, state=state)["W"]).clone()
    return {"once": once, "again": again, "the state's own W": torch.as_tensor(state["W"]).clone()}


def train(tokens, vocab, rows, peak, beta, steps, stop, state=None):
    """All of it again: what a run that never stopped has at this step."""
    generator = torch.Generator().manual_seed(0)
    W = torch.zeros(vocab, vocab, dtype=torch.float64)
    momentum = torch.zeros(vocab, vocab, dtype=torch.float64)
    for step in range(stop):
        at = torch.randint(len(tokens) - 1, (rows,), generator=generator)
        gradient = torch.zeros_like(W)
        for a, b in zip(tokens[at].tolist(), tokens[at + 1].tolist()):
            error = W[a].softmax(dim=0)
            error[b] -= 1
            gradient[a] += error / rows
        momentum = beta * momentum + gradient
        W = W - peak * (1 - step / steps) * momentum
    return {"W": W}


QUESTION = Question(
    id="20.3",
    title="Repair a run that cannot be resumed",
    kind="repair",
    difficulty=3,
    minutes=25,
    reference={"train": train},
    exempt={
        "train: n is 1": "a text of one token has no pair",
        "ignorance of argument state": "a run done again from its beginning gives the same, only later",
        "no gradient": "the gradient is worked out by hand",
        "extreme exponents": "softmax is PyTorch's own, and stands in the code that is given",
    },
    clauses={
        "Steps are counted from 0": "the text explains what the numbers of steps mean",
        "None, or what an earlier call": "every case begins with None and goes on from a state",
        "`stop` is at most `steps`": "a run to its last step is a case of the last part",
        "up to rounding": "numbers are compared to four digits",
        "Four things are wrong": "each has a part, and the bank mends three at a time",
        "at least two tokens": "a text of two is the case of three parts",
        "from 0 to below 1": "0 is the case of three parts",
    },
    parts=[
        Part(
            "momentum",
            1,
            "runs in which only the momentum could be lost",
            call_resumed,
            inputs=momenta,
            hints=(
                "What does the first step after a pause do with the gradients before it?",
                "The momentum depends on all earlier steps, so it belongs to the state.",
            ),
        ),
        Part(
            "batches",
            1,
            "runs in which only the batches could differ",
            call_resumed,
            inputs=random_batches,
            hints=(
                "Print the first batch after the pause and the first batch of all.",
                "A generator has a state, which can be read by get_state and put back by set_state.",
            ),
        ),
        Part(
            "step",
            1,
            "runs in which only the number of the step could be wrong",
            call_resumed,
            inputs=falling,
            hints=(
                "What is the rate of the first step after the pause?",
                "The loop should go on with the number at which it stopped.",
            ),
        ),
        Part(
            "kept",
            1,
            "going on twice from one state",
            call_twice,
            inputs=kept,
            hints=(
                "Print the sum of the state's W before and after one goes on from it.",
                "An update in place changes a tensor for everybody who holds it.",
            ),
        ),
        Part(
            "together",
            2,
            "all of it at once, with several pauses",
            call_twice,
            inputs=everything,
            hints=(
                "If another part is lost, mend that first.",
                "Does the second pause work as the first does? What is in the state of a resumed run?",
            ),
        ),
    ],
)
