"""Question 03.6: WaveNet with queues."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import quarters, weights


def with_queues(rng, batch, time, d, layers, k):
    return {
        "x": normal(rng, batch, time, d),
        **weights(rng, layers, k, d),
        "queues": [normal(rng, batch, (k - 1) * 2**layer, d) for layer in range(layers)],
    }


def large_piece(rng):
    """One layer, whose sums are exact in float32."""
    kernels = {name: quarters(rng, 1, 2, 2, 2) for name in ("filters", "gates")}
    return {"x": quarters(rng, 2, 3, 2) * 4000, **kernels, "mixes": normal(rng, 1, 2, 2)}


def single_places(rng):
    shapes = [*sizes(rng, batch=3, d=3, layers=2, k=(2, 3), far={"batch": 100}), (2, 2, 3, 2)]
    for batch, d, layers, k in shapes:
        yield with_queues(rng, batch, 1, d, layers, k)


def pieces(rng):
    """Pieces of no place and of many, shorter and longer than the queues; networks of many layers."""
    shapes = [*sizes(rng, batch=3, time=(0, 6), d=3, layers=3, k=3, far={"time": 101})]
    shapes += [(2, 0, 2, 1, 1), (1, 1, 2, 2, 1), (1, 9, 1, 2, 3), (1, 8, 2, 3, 2)]
    for batch, time, d, layers, k in shapes:
        yield with_queues(rng, batch, time, d, layers, k)
    deep = with_queues(rng, 1, 4, 2, 11, 2)
    yield {**deep, "mixes": 0.3 * deep["mixes"]}
    yield {
        **large_piece(rng),
        "queues": [quarters(rng, 2, 1, 2) * 4000],
    }
    yield from pieces_of_all_sizes(rng)


def pieces_of_all_sizes(rng):
    """Inputs, queues and weights of which some are near zero, or far from it."""
    for x, queue, filters, gates, mixes in [
        (5e-4, 5e-4, 1, 1, 1),
        (1, 30, 5e-4, 1, 1),
        (20, 20, 0.05, 5e-4, 1),
        (1, 1, 1, 1, 5e-4),
        (0.05, 0.05, 20, 20, 20),
    ]:
        case = with_queues(rng, 2, 4, 2, 1, 2)
        scaled = {"x": x, "filters": filters, "gates": gates, "mixes": mixes}
        case |= {name: scale * case[name] for name, scale in scaled.items()}
        yield {**case, "queues": [queue * case["queues"][0]]}


def beginnings(rng):
    shapes = [*sizes(rng, batch=3, time=5, d=3, layers=2, k=3), (3, 0, 2, 2, 2)]
    for batch, time, d, layers, k in shapes:
        yield {"x": normal(rng, batch, time, d), **weights(rng, layers, k, d)}
    yield large_piece(rng)


def futures(rng):
    """Also with three layers and enough inputs for the dilation of the last."""
    for batch, d, layers, k in [*sizes(rng, batch=2, d=3, layers=2, k=(2, 3)), (1, 2, 3, 2)]:
        lengths = rng.integers([3, 1, 3], [6, 4, 5]).tolist()
        names = ("before", "one way", "another")
        parts = {name: normal(rng, batch, time, d) for name, time in zip(names, lengths)}
        yield {**parts, **weights(rng, layers, k, d)}


def call_read(student, inputs):
    names = ("x", "filters", "gates", "mixes", "queues")
    given = [inputs[name] for name in names if name in inputs]
    (batch, _, d), k = inputs["x"].shape, inputs["filters"].shape[1]

    def tensor(value, length):
        """Of an array or nested lists too, which have no axes behind one of length 0."""
        found = torch.as_tensor(value)
        return found if found.numel() or not isinstance(value, list) else found.reshape(batch, length, d)

    output, queues = student.read(*given)
    kept = [tensor(queue, (k - 1) * 2**layer) for layer, queue in enumerate(queues)]
    return {
        "output": tensor(output, inputs["x"].shape[1]),
        "number of queues": len(kept),
        **{f"queue of layer {layer}": queue for layer, queue in enumerate(kept)},
    }


def call_futures(student, inputs):
    """Three sequences go on from the same queues, one place by place and two of one length at once."""
    network = [inputs[name] for name in ("filters", "gates", "mixes")]

    def read_on(x, *known):
        output, queues = student.read(x, *network, *known)
        return torch.as_tensor(output), [torch.as_tensor(queue) for queue in queues]

    _, queues = read_on(inputs["before"])
    now, steps = queues, []
    for t in range(inputs["one way"].shape[1]):
        output, now = read_on(inputs["one way"][:, t : t + 1], now)
        steps.append(output)
    other, last = read_on(inputs["another"], queues)
    third, _ = read_on(-inputs["another"], queues)
    return {
        "one way": torch.cat(steps, 1),
        "another way": other,
        "a third way": third,
        "number of queues": len(now),
        **{f"queue of layer {layer}": queue for layer, queue in enumerate(now)},
        **{f"other queue of layer {layer}": queue for layer, queue in enumerate(last)},
    }


def read(x, filters, gates, mixes, queues=None):
    layers, k = filters.shape[:2]
    if queues is None:
        queues = [x.new_zeros(len(x), (k - 1) * 2**layer, x.shape[2]) for layer in range(layers)]
    line, total, after = x.double(), torch.zeros(x.shape, dtype=torch.float64), []
    for layer, queue in enumerate(queues):
        latest, rows = list(queue.double().unbind(1)), []
        for t in range(x.shape[1]):
            latest.append(line[:, t])
            taps = [latest[-1 - i * 2**layer] for i in range(k)]
            content, gate = (
                sum(tap @ kernel.double().T for tap, kernel in zip(taps, bank[layer]))
                for bank in (filters, gates)
            )
            rows.append(torch.tanh(content) / (1 + torch.exp(-gate)) @ mixes[layer].double().T)
        if queue.shape[1]:
            after.append(torch.stack(latest[len(latest) - queue.shape[1] :], 1))
        else:
            after.append(queue.double())
        if rows:
            line, total = line + torch.stack(rows, 1), total + torch.stack(rows, 1)
    return total, after


QUESTION = Question(
    id="03.6",
    title="WaveNet with queues",
    kind="implement",
    difficulty=5,
    minutes=40,
    reference={"read": read},
    needs=("03.2",),
    exempt={"no gradient": "the text asks for no gradients: it is for drawing"},
    clauses={
        "pieces of any length, 0 included": ("pieces", "empty_forgets"),
        "time 0 or more": ("pieces", "empty_forgets"),
        "written for at least one place": ("pieces", "empty_forgets"),
        "where all queues have length 0": "pieces and beginning have such kernels",
        "two different sequences may go on": "two ways on does so, and no part lets queues be changed",
        "None, if nothing was read": "beginning and two ways on begin so",
    },
    parts=[
        Part(
            "one place",
            3,
            "the output and the queues after one place",
            call_read,
            inputs=single_places,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Begin with one layer: its queue and the new input, one behind the other, are all that "
                "its kernels read.",
                "The queue after the step has lost its oldest input and ends with the new one.",
                "Each layer has its own inputs: those of the second are x + s of the first.",
            ),
        ),
        Part(
            "pieces",
            3,
            "pieces of any length, kernels of size 1, and inputs in the thousands",
            call_read,
            inputs=pieces,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                (
                    "Take the case that is named: how many places has the piece, how long is each queue "
                    "before it, and what should each of them hold after it?"
                ),
                "A piece shorter than the queue leaves some old inputs in it; after a longer one it has "
                "none of them.",
                "What is a[:, -n:] for n = 0? And what does your loop do when x has no places?",
            ),
        ),
        Part(
            "beginning",
            1,
            "the first piece, without queues",
            call_read,
            inputs=beginnings,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "What does a layer read at the first place of a sequence, from the dilation before it?",
                "Before the beginning there are zeros, (k - 1) * 2**layer of them for each layer.",
            ),
        ),
        Part(
            "two ways on",
            3,
            "three sequences that go on from the same queues, one of them place by place",
            call_futures,
            inputs=futures,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                (
                    "Which of the ways is wrong first? Print the queues from which it goes on, before and "
                    "after the way that was read before it."
                ),
                "Do you write into queues that were given or returned before, or into anything outside?",
            ),
        ),
    ],
)
