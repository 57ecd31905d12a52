"""Exercises of chapter 3: how far convolutions reach, WaveNet, codes, a bound measured, queues."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal


def whole(rng, low, high):
    return int(rng.integers(low, high))


def positive(rng, *shape):
    """Weights from 0.2 to 0.6: whatever is added to an input adds to the output."""
    return torch.from_numpy(rng.uniform(0.2, 0.6, shape).astype(np.float32))


def lags(rng):
    for time, d_in, d_out, k, dilation in [
        (6, 2, 3, 3, 2),
        (5, 1, 2, 2, 3),
        (4, 2, 1, 3, 3),
        (1, 2, 2, 2, 1),
    ]:
        yield {
            "x": positive(rng, time, d_in),
            "kernel": positive(rng, k, d_out, d_in),
            "dilation": dilation,
        }


def call_lags(student, inputs):
    """One input is changed at a time, each in a row of the batch."""
    time = len(inputs["x"])
    x = torch.cat([inputs["x"][None], inputs["x"] + torch.eye(time)[:, :, None]])
    y = torch.as_tensor(student.causal_conv(x, inputs["kernel"], inputs["dilation"]))
    return {"place t moves with input s": ((y[1:] - y[0]).abs().amax(2) > 1e-3).T}


PLAIN = [
    (2, 4, 3, 4, 2),
    (1, 4, 2, 3, 3),
    (3, 1, 4, 2, 2),
    (2, 3, 3, 3, 2),
    (2, 4, 3, 4, 2),
    (2, 2, 3, 2, 4),
    (1, 3, 2, 4, 1),
    (1, 101, 1, 1, 1),
]
DILATED = [
    (2, 4, 3, 4, 2, 2),
    (1, 6, 2, 3, 3, 2),
    (2, 3, 2, 2, 3, 4),
    (3, 1, 2, 3, 2, 3),
    (2, 5, 4, 4, 2, 4),
    (2, 4, 3, 4, 2, 2),
    (1, 3, 2, 1, 1, 3),
    (101, 4, 1, 1, 2, 3),
]


def plain_convolutions(rng):
    for batch, time, d_in, d_out, k in PLAIN:
        yield {"x": normal(rng, batch, time, d_in), "kernel": normal(rng, k, d_out, d_in)}


def dilated_convolutions(rng):
    for batch, time, d_in, d_out, k, dilation in DILATED:
        yield {
            "x": normal(rng, batch, time, d_in),
            "kernel": normal(rng, k, d_out, d_in),
            "dilation": dilation,
        }


def trained_convolutions(rng):
    for batch, time, d_in, d_out, k, dilation in [(2, 5, 3, 2, 2, 2), (1, 4, 2, 3, 3, 1), (2, 2, 1, 2, 2, 3)]:
        yield {
            "x": normal(rng, batch, time, d_in),
            "kernel": normal(rng, k, d_out, d_in),
            "dilation": dilation,
            "upstream": normal(rng, batch, time, d_out),
        }


def call_conv(student, inputs):
    dilation = (inputs["dilation"],) if "dilation" in inputs else ()
    return {"output": student.causal_conv(inputs["x"], inputs["kernel"], *dilation)}


def call_conv_gradients(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("x", "kernel")}
    output = student.causal_conv(leaves["x"], leaves["kernel"], inputs["dilation"])
    (output * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def causal_conv(x, kernel, dilation=1):
    time, output = x.shape[1], 0.0
    for i in range(len(kernel)):
        moved = torch.zeros(x.shape, dtype=torch.float64)
        if i * dilation < time:
            moved[:, i * dilation :] = x[:, : time - i * dilation]
        output = output + torch.einsum("bti,oi->bto", moved, kernel[i].double())
    return output


def weights(rng, layers, k, d):
    return {
        "filters": normal(rng, layers, k, d, d),
        "gates": normal(rng, layers, k, d, d),
        "mixes": normal(rng, layers, d, d),
    }


def positive_weights(rng, layers, k, d):
    return {
        "filters": positive(rng, layers, k, d, d),
        "gates": positive(rng, layers, k, d, d),
        "mixes": positive(rng, layers, d, d),
    }


def to_predict(rng):
    """Positive inputs and weights, so that no change is lost."""
    for time, d, layers, k in [(6, 1, 2, 2), (4, 2, 1, 3), (1, 2, 1, 2)]:
        x = torch.from_numpy(rng.uniform(0.2, 1.0, (time, d)).astype(np.float32))
        yield {"x": x, **positive_weights(rng, layers, k, d)}


def to_see_far(rng):
    for layers, k in [(4, 2), (3, 3)]:
        x = positive(rng, (k - 1) * 2**layers + 4, 1) - 0.2
        yield {"x": x / 2, **positive_weights(rng, layers, k, 1)} | {"mixes": 1 + positive(rng, layers, 1, 1)}


def steady(rng, sizes):
    """The same input at all places: the last output is the same with a step to the right and without."""
    for batch, d, layers, k in sizes:
        time = 2 * (k - 1) * 2**layers + layers + 2
        yield {"x": normal(rng, batch, 1, d).repeat(1, time, 1), **weights(rng, layers, k, d)}


def steady_layers(rng):
    yield from steady(rng, [(2, 3, 1, 2), (1, 2, 1, 3), (3, 1, 1, 1)])


def steady_pairs(rng):
    """Two layers whose gates have the kernels of the filters."""
    for case in steady(rng, [(2, 3, 2, 2), (1, 2, 2, 3), (3, 1, 2, 2)]):
        yield case | {"gates": case["filters"].clone()}


NETWORKS = [
    (2, 5, 3, 2, 2),
    (1, 9, 2, 3, 2),
    (3, 1, 2, 2, 3),
    (2, 3, 3, 1, 2),
    (2, 5, 3, 2, 2),
    (1, 8, 2, 2, 3),
    (1, 102, 1, 1, 2),
    (2, 3, 4, 1, 1),
]


def networks(rng):
    for batch, time, d, layers, k in NETWORKS:
        yield {
            "x": normal(rng, batch, time, d),
            **weights(rng, layers, k, d),
        }


def trained_networks(rng):
    for batch, time, d, layers, k in [(2, 5, 2, 3, 2), (1, 4, 3, 1, 2), (2, 4, 1, 1, 3)]:
        yield {
            "x": normal(rng, batch, time, d),
            **weights(rng, layers, k, d),
            "upstream": normal(rng, batch, time, d),
        }
    # an exponential of one's own: its value is right where it is infinite, its gradient is not
    case = {"x": quarters(rng, 2, 4, 2) * 4000, **weights(rng, 1, 2, 2), "upstream": normal(rng, 2, 4, 2)}
    yield case | {name: quarters(rng, 1, 2, 2, 2) for name in ("filters", "gates")}


def quarters(rng, *shape, scale=1.0):
    """Multiples of a quarter, with which float32 computes distances exactly."""
    return (normal(rng, *shape, scale=scale) * 4).round() / 4


def large_networks(rng):
    """Also a network that is deeper than the sequence is long."""
    yield from networks(rng)
    deep = {"x": normal(rng, 2, 5, 2), **weights(rng, 11, 2, 2)}
    yield {**deep, "mixes": 0.3 * deep["mixes"]}
    for batch, time, d, k in [(2, 4, 2, 2), (1, 3, 3, 3)]:
        case = {"x": quarters(rng, batch, time, d) * 4000, **weights(rng, 1, k, d)}
        yield case | {name: quarters(rng, 1, k, d, d) for name in ("filters", "gates")}


def call_leak(student, inputs):
    """One input is changed at a time, each in a row of the batch."""
    x, names = inputs["x"], ("filters", "gates", "mixes")
    time = len(x)
    rows = torch.cat([x[None], x + torch.eye(time)[:, :, None]])
    y = torch.as_tensor(student.wavenet(rows, *(inputs[name] for name in names)))
    moves = ((y[1:] - y[0]).abs().amax(2) > 1e-5).T
    return {
        "row t moves with x[t] or later ones": moves.triu().any(1),
        "row t moves with x[t - 1]": moves.diagonal(-1),
    }


def call_far(student, inputs):
    x, names = inputs["x"], ("filters", "gates", "mixes")
    rows = torch.cat([x[None], x + 3 * torch.eye(len(x))[:, :, None]])
    y = torch.as_tensor(student.wavenet(rows, *(inputs[name] for name in names)))[:, -1]
    moves = ((y[1:] - y[0]).abs().amax(1) > 1e-5).nonzero().flatten().tolist()
    return {
        "places from the first input that moves the last row to the last": len(moves)
        and moves[-1] - moves[0] + 1
    }


def call_last(student, inputs):
    names = ("x", "filters", "gates", "mixes")
    return {"the last row": student.wavenet(*(inputs[name] for name in names))[:, -1]}


def call_wavenet(student, inputs):
    names = ("x", "filters", "gates", "mixes")
    return {"output": student.wavenet(*(inputs[name] for name in names))}


def call_wavenet_gradients(student, inputs):
    names = ("x", "filters", "gates", "mixes")
    leaves = {name: inputs[name].clone().requires_grad_() for name in names}
    (student.wavenet(**leaves) * inputs["upstream"]).sum().backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def layers_of(x, filters, gates, mixes):
    """The sum of all layers' outputs, and each layer's inputs."""
    line, total, inputs = x.double(), torch.zeros(x.shape, dtype=torch.float64), []
    for layer in range(len(filters)):
        inputs.append(line)
        content = causal_conv(line, filters[layer], 2**layer)
        gate = causal_conv(line, gates[layer], 2**layer)
        s = torch.einsum("btd,ed->bte", torch.tanh(content) * torch.sigmoid(gate), mixes[layer].double())
        line, total = line + s, total + s
    return total, inputs


def wavenet(x, filters, gates, mixes):
    total, _ = layers_of(x, filters, gates, mixes)
    return torch.cat([torch.zeros_like(total[:, :1]), total[:, :-1]], 1)


VECTORS = [
    (2, 3, 2, 4),
    (1, 5, 3, 6),
    (4, 1, 2, 3),
    (3, 2, 2, 1),
    (2, 3, 3, 3),
    (2, 3, 2, 4),
    (1, 102, 1, 3),
    (2, 4, 1, 5),
]


def vectors(rng):
    """Vectors and codes on a grid. With three features, two codes are equally near to a vector.

    With two, the sum of absolute differences names another code for a vector, the largest one for the next.
    """
    for batch, n, d, size in VECTORS:
        z, codebook = quarters(rng, batch, n, d), quarters(rng, size, d)
        if d == 3:
            step = quarters(rng, d).abs() + 0.25
            codebook[:3] = z[0, 0] + torch.tensor([[1.0], [-1.0], [2.0]]) * step
            codebook[3:] = codebook[2]
        if d == 2 and size > 2:
            steps = torch.tensor([[0.75, 0.75], [1.25, 0.0], [-3.0, 1.5], [2.5, -4.0]])[:size]
            z.view(-1, 2)[1] = z[0, 0] + torch.tensor([0.125, -0.25])
            codebook = z[0, 0] + steps[torch.from_numpy(rng.permutation(size))]
        yield {
            "z": z,
            "codebook": codebook,
            "beta": float(rng.uniform(0.1, 2.0)),
            "upstream": normal(rng, batch, n, d),
        }


def vectors_between(rng):
    """As before, and vectors halfway between two codes."""
    yield from vectors(rng)
    for batch, n, d in [(1, 3, 2), (2, 2, 1)]:
        middle, step = quarters(rng, d), quarters(rng, d) + 4
        order = torch.from_numpy(rng.permutation(4))
        codebook = torch.stack([middle + step, middle - step, middle + 2 * step, middle - 2 * step])[order]
        yield {"z": middle.expand(batch, n, d).clone(), "codebook": codebook}
    # distances 40 and a little more, which half precision does not tell apart
    middle = quarters(rng, 2)
    codebook = middle + torch.tensor([[-60.0, 8.0], [40.0, -0.25], [40.0, 0.0], [0.0, -50.0]])
    yield {"z": middle.repeat(2, 3, 1), "codebook": codebook}


def vectors_far_out(rng):
    """Two clouds of codes, thousands away from the origin, with vectors near; each code occurs twice."""
    for n, d in [(6, 2), (5, 3), (4, 2)]:
        centers = (normal(rng, 2, 1, d) > 0) * 4000.0 - 2000 + quarters(rng, 2, 1, d, scale=800)
        steps = torch.zeros(2, 3, d)
        # the first is the nearest to the center, the second by the sum of absolute differences
        steps[:, 0, :2], steps[:, 1, 0] = 0.75, 1.25
        steps[:, 2] = quarters(rng, 2, d).abs() + 1.5
        codebook = (centers + steps).reshape(6, d)
        z = centers + quarters(rng, 2, n, d, scale=0.6) * (torch.arange(n) > 0)[:, None]
        yield {"z": z, "codebook": torch.cat([codebook[torch.from_numpy(rng.permutation(6))], codebook])}
    # so many codes that torch.cdist, left to itself, expands the squares
    center = (normal(rng, 2) > 0) * 4000.0 - 2000
    codebook = center + torch.tensor([[i % 6, i // 6] for i in range(30)]) / 2
    z = codebook[torch.from_numpy(rng.permutation(30)[:16])] + 0.125
    yield {"z": z.reshape(2, 8, 2), "codebook": codebook[torch.from_numpy(rng.permutation(30))]}


def losses(rng):
    for i, case in enumerate(vectors(rng)):
        yield {"z": case["z"], "codebook": case["codebook"]} | (
            {"beta": (0.0, case["beta"])[i % 2]} if i % 3 else {}
        )


def pulls(rng):
    for i, case in enumerate(vectors(rng)):
        yield case | {"beta": 0.0 if i == 3 else case["beta"], "upstream": float(rng.uniform(0.5, 3.0))}


def call_codes(student, inputs):
    return {"codes": student.quantize(inputs["z"], inputs["codebook"])[0]}


def call_vectors(student, inputs):
    return {"vectors": student.quantize(inputs["z"], inputs["codebook"])[1]}


def call_straight(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("z", "codebook")}
    output = student.quantize(**leaves)[1]
    ((output * inputs["upstream"]).sum() + 0 * leaves["z"].sum()).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def call_loss(student, inputs):
    beta = (inputs["beta"],) if "beta" in inputs else ()
    return {"loss": student.quantize(inputs["z"], inputs["codebook"], *beta)[2]}


def call_pulls(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("z", "codebook")}
    loss = student.quantize(**leaves, beta=inputs["beta"])[2]
    (inputs["upstream"] * loss + 0 * leaves["z"].sum()).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def quantize(z, codebook, beta=0.25):
    z, codebook = z.double(), codebook.double()
    flat, codes = z.reshape(-1, z.shape[2]), []
    for vector in flat.detach():
        distances = ((codebook.detach() - vector) ** 2).sum(1).tolist()
        codes.append(distances.index(min(distances)))
    chosen = codebook[codes]
    loss = ((flat.detach() - chosen) ** 2).sum() + beta * ((flat - chosen.detach()) ** 2).sum()
    passed = flat - flat.detach() + chosen.detach()
    return torch.tensor(codes).reshape(z.shape[:2]), passed.reshape(z.shape), loss / len(flat)


def small_models(rng):
    """Ordinary ones, and ones whose logarithms are in the minus thousands."""
    for size, d, n, scale in [
        (3, 4, 2, 1.0),
        (2, 3, 3, 1.5),
        (1, 2, 2, 1.0),
        (6, 1, 1, 1.0),
        (3, 3, 3, 1.0),
        (3, 2, 3, 1500.0),
        (2, 4, 1, 3000.0),
    ]:
        scores = rng.standard_normal((size, size)) * scale
        top = scores.max()
        logits = rng.standard_normal((size, d)) * scale
        x = rng.integers(0, 2, (n, 2, d)).astype(float)
        if scale > 100:
            # whatever the codes, the first pixels of image 0 cost 2000 nats, and those of image 1 differ
            logits[:, 0] = -1000 - np.abs(logits[:, 0])
            x[1:2] = x[0]
            x[0, :, 0], x[1:2, :, 0] = 1, 0
        yield {
            "log_prior": scores - top - np.log(np.exp(scores - top).sum()),
            "logits": logits,
            "x": x,
            "codes": rng.integers(0, size, (n, 2)),
        }


def call_measure(student, inputs):
    return dict(student.measure(**inputs))


def measure(log_prior, logits, x, codes):
    size = len(log_prior)
    distortion = rate = exact = 0.0
    for image, chosen in zip(x, codes.tolist()):
        given = np.zeros((2, size))
        for half in range(2):
            for a in range(size):
                sides = np.where(image[half] > 0.5, logits[a], -logits[a])
                given[half, a] = (np.minimum(sides, 0) - np.log1p(np.exp(-np.abs(sides)))).sum()
        terms = [log_prior[a, b] + given[0, a] + given[1, b] for a in range(size) for b in range(size)]
        distortion -= given[0, chosen[0]] + given[1, chosen[1]]
        rate -= log_prior[chosen[0], chosen[1]]
        exact -= max(terms) + math.log(math.fsum(math.exp(term - max(terms)) for term in terms))
    n = len(x)
    return {
        "distortion": distortion / n,
        "rate": rate / n,
        "bound": (distortion + rate) / n,
        "exact": exact / n,
    }


def give_report(student, inputs):
    return {name: student.report[name] for name in ("distortion", "rate", "bound", "exact")}


def give_separate(student, inputs):
    return {"separate": student.report["separate"]}


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
    for batch, d, layers, k in [(2, 3, 1, 2), (1, 2, 3, 2), (3, 2, 2, 3), (2, 3, 1, 2), (102, 1, 1, 2)]:
        yield with_queues(rng, batch, 1, d, layers, k)


def pieces(rng):
    for batch, time, d, layers, k in [
        (2, 3, 2, 2, 2),
        (1, 6, 2, 3, 2),
        (3, 2, 3, 2, 3),
        (2, 0, 2, 2, 2),
        (1, 9, 1, 2, 3),
        (2, 3, 2, 2, 1),
        (2, 0, 2, 1, 1),
        (1, 4, 4, 1, 2),
        (2, 3, 2, 2, 2),
        (1, 101, 1, 1, 2),
    ]:
        yield with_queues(rng, batch, time, d, layers, k)
    deep = with_queues(rng, 1, 4, 2, 11, 2)
    yield {**deep, "mixes": 0.3 * deep["mixes"]}
    yield {
        **large_piece(rng),
        "queues": [quarters(rng, 2, 1, 2) * 4000],
    }


def beginnings(rng):
    for batch, time, d, layers, k in [(2, 4, 2, 2, 2), (1, 1, 3, 2, 3), (3, 0, 2, 2, 2), (2, 6, 1, 2, 1)]:
        yield {"x": normal(rng, batch, time, d), **weights(rng, layers, k, d)}
    yield large_piece(rng)


def futures(rng):
    for batch, lengths, d, layers, k in [
        (2, (3, 2, 4), 2, 2, 2),
        (1, (1, 1, 3), 3, 3, 2),
        (2, (5, 3, 3), 1, 2, 3),
    ]:
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
    """Two sequences go on from the same queues, place by place and at once."""
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
    return {
        "one way": torch.cat(steps, 1),
        "another way": other,
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


QUESTIONS = [
    Question(
        id="03.1",
        title="How far back, and how few bits",
        kind="derive",
        difficulty=1,
        minutes=20,
        reference={
            "field": 1024,
            "milliseconds": 191.875,
            "doubled": 9,
            "plain": 392,
            "smaller": 128 / 3,
            "uniform": 49 * math.log(512),
            "bits": 88.33 / 784 / math.log(2),
        },
        parts=[
            Part(
                "one stack",
                1,
                "the receptive field of ten layers",
                reads=("field",),
                hints=(
                    "How far back does one layer with k = 2 and dilation 4 look?",
                    "Each layer adds its own dilation to what the layers below it reach.",
                    "Add up the ten dilations. The place t itself counts too.",
                ),
            ),
            Part(
                "three stacks",
                1,
                "the sound that three stacks take in",
                reads=("milliseconds",),
                hints=(
                    "Three stacks reach back three times as far as one. But the place t itself is counted "
                    "once.",
                    "At 16,000 samples a second a millisecond has 16 samples.",
                ),
            ),
            Part(
                "depth",
                2,
                "how many layers it takes, with doubled dilations and without",
                reads=("doubled", "plain"),
                hints=(
                    "With k = 3 a layer reaches back by twice its dilation. How far do n layers reach?",
                    "784 places are 783 before the present and the present itself.",
                    "Half a layer does not exist: round up.",
                ),
            ),
            Part(
                "codes",
                2,
                "what codes save, and what they cost under a uniform prior",
                reads=("smaller", "uniform"),
                hints=(
                    "How many bits name one of 512 codes?",
                    "Every place of the grid has a code of its own, so the costs of the places add up.",
                    "A nat is log with base e: -log p of one of 512 equally probable codes.",
                ),
            ),
            Part(
                "bits",
                1,
                "NADE's nats as bits per pixel",
                reads=("bits",),
                hints=(
                    "One nat is 1 / ln 2 bits, more than one.",
                    "The image has 784 pixels.",
                ),
            ),
        ],
    ),
    Question(
        id="03.2",
        title="A convolution that looks back",
        kind="implement",
        difficulty=2,
        minutes=20,
        reference={"causal_conv": causal_conv},
        parts=[
            Part(
                "lags",
                1,
                "each place depends on itself and on places before it, the dilation apart",
                call_lags,
                inputs=lags,
                hints=(
                    "Put 1 at one place and 0 at all others. Where do the taps of the kernel appear?",
                    "With k = 3 and dilation 2 they appear at the place itself, and 2 and 4 places later.",
                    "If they appear earlier, the convolution looks ahead: all the padding belongs in front.",
                ),
            ),
            Part(
                "values",
                1,
                "the numbers, for dilation 1",
                call_conv,
                inputs=plain_convolutions,
                hints=(
                    "Compute the example of the text with dilation 1: 1, 12, 23, 34, 45.",
                    "Which matrix meets x_t itself, the first or the last of the kernel?",
                    "kernel[i] has a row for each output feature and a column for each input feature.",
                ),
            ),
            Part(
                "dilated",
                2,
                "the numbers, for other dilations",
                call_conv,
                inputs=dilated_convolutions,
                hints=(
                    "If `values` is lost too, mend that first.",
                    "The kernel reaches (k - 1) times the dilation back. How many zeros have to stand in "
                    "front?",
                    "Tap i reads the input i times the dilation before the place.",
                ),
            ),
            Part(
                "gradients",
                1,
                "gradients come back to x and to the kernel",
                call_conv_gradients,
                inputs=trained_convolutions,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If `dilated` is lost too, mend that first.",
                    "If not: does something cut the gradient off, such as detach, numpy, or a tensor made "
                    "from numbers?",
                ),
            ),
        ],
    ),
    Question(
        id="03.3",
        title="Repair WaveNet",
        kind="repair",
        difficulty=3,
        minutes=30,
        reference={"wavenet": wavenet},
        needs=("03.2",),
        parts=[
            Part(
                "leak",
                1,
                "row t knows x[t - 1], and nothing from x[t] on",
                call_leak,
                inputs=to_predict,
                hints=(
                    "Change x[2] alone. What is the first row of the output that may change?",
                    "The convolution reads the present. Of which sequence may the present be read?",
                    "Move the input one place to the right, with a row of zeros in front, once.",
                ),
            ),
            Part(
                "gate",
                1,
                "the gate has weights of its own (one layer)",
                call_last,
                inputs=steady_layers,
                hints=(
                    "With one layer, which of the arguments does the result depend on? Which does it not?",
                    "The tanh is of one convolution, and the sigmoid of the other.",
                ),
            ),
            Part(
                "sum",
                1,
                "the result is the sum over the layers (two layers)",
                call_last,
                inputs=steady_pairs,
                hints=(
                    "With two layers, what does the first one add to the result?",
                    "A sum begins with zeros, and each layer adds to it.",
                    "Does each layer still add its s to the line that the next one reads?",
                ),
            ),
            Part(
                "reach",
                1,
                "the dilation doubles from layer to layer",
                call_far,
                inputs=to_see_far,
                hints=(
                    "Print the dilations of four layers. They should be 1, 2, 4, 8.",
                    "With two layers, doubling and adding 1 give the same. The third one tells.",
                ),
            ),
            Part(
                "together",
                2,
                "the whole network, for inputs in the thousands too",
                call_wavenet,
                inputs=large_networks,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If another part is lost, mend that first: this one needs all of them.",
                    "If the others are won, compare each line with the formulas: two convolutions with one "
                    "dilation, their product, V, and both sums.",
                    "tanh and sigmoid of PyTorch can take any number. Are there exponentials of your own?",
                ),
            ),
            Part(
                "gradients",
                1,
                "gradients come back to the inputs and all weights",
                call_wavenet_gradients,
                inputs=trained_networks,
                rtol=1e-3,
                atol=1e-3,
                hints=(
                    "If another part is lost, mend that first.",
                    "If not: does something cut the gradient off? Your causal_conv must let it through too.",
                    "The last case has inputs in the thousands. What is the gradient of a fraction whose "
                    "exponential is infinite?",
                ),
            ),
        ],
    ),
    Question(
        id="03.4",
        title="The nearest code",
        kind="implement",
        difficulty=4,
        minutes=35,
        reference={"quantize": quantize},
        parts=[
            Part(
                "codes",
                1,
                "the numbers of the nearest codes, the first of several equally near",
                call_codes,
                inputs=vectors_between,
                hints=(
                    "Compute all distances from one vector to the codes by hand, and look for the smallest.",
                    "A large inner product does not mean near: a long code has large products with many.",
                    "Of several equally near the first counts, the one with the smallest number.",
                ),
            ),
            Part(
                "far out",
                1,
                "the same where all vectors lie thousands away from the origin",
                call_codes,
                inputs=vectors_far_out,
                hints=(
                    "If `codes` is lost too, mend that first.",
                    "The square of 3000.25 needs more digits than float32 has. Which numbers are squared "
                    "before others are subtracted?",
                    "Subtract the codes from the vectors first, and square the differences.",
                ),
            ),
            Part(
                "vectors",
                1,
                "the rows of the codebook",
                call_vectors,
                inputs=vectors,
                hints=(
                    "If `codes` is lost too, mend that first.",
                    "The values of `vectors` are those of the codes, whatever its gradient is.",
                ),
            ),
            Part(
                "straight through",
                2,
                "the gradient of the vectors goes to z as it is, and not to the codebook",
                call_straight,
                inputs=vectors,
                hints=(
                    "argmin has no gradient, and a row that is looked up sends its gradient to the codebook. "
                    "What sends it to z?",
                    "Write the vectors as z plus something that counts as a constant.",
                    "The constant is the difference between the code and z. All of it is detached.",
                ),
            ),
            Part(
                "loss",
                1,
                "the value of the loss",
                call_loss,
                inputs=losses,
                hints=(
                    "If `codes` is lost too, mend that first.",
                    "Squares are summed over the features of a vector and averaged over the vectors.",
                    "Both terms have the same value, apart from beta, which is 0.25 if it is not given.",
                ),
            ),
            Part(
                "who is moved",
                2,
                "the gradient of the loss: the first term moves the codes, the second z",
                call_pulls,
                inputs=pulls,
                hints=(
                    "If `loss` is lost too, mend that first.",
                    "What stands in sg[...] is detached, and the other part of the difference is not.",
                    "Is it the rows of the codebook that the loss reads, or `vectors`, whose gradient goes "
                    "elsewhere?",
                ),
            ),
        ],
    ),
    Question(
        id="03.5",
        title="What the bound leaves out",
        kind="experiment",
        difficulty=3,
        minutes=30,
        reference={
            "measure": measure,
            "report": {
                "distortion": 5.0029116,
                "rate": 2.5051658,
                "bound": 7.5080774,
                "exact": 7.3279959,
                "separate": 7.7722232,
            },
        },
        parts=[
            Part(
                "distortion",
                1,
                "on small models: what the pixels cost, given the encoder's codes",
                call_measure,
                inputs=small_models,
                compare=("distortion",),
                hints=(
                    "A black pixel costs -log p, a white one -log(1 - p). Write both with the logit.",
                    "log p is minus log(1 + exp(-logit)), and log(1 - p) the same with the other sign.",
                    "np.logaddexp(0, a) is log(1 + exp(a)) for any a. Sum over both halves and their pixels.",
                ),
            ),
            Part(
                "rate",
                1,
                "on small models: what the codes cost, and the bound",
                call_measure,
                inputs=small_models,
                compare=("rate", "bound"),
                hints=(
                    "The prior's row is the upper code, its column the lower one.",
                    "The rate is a cost, -log p, averaged over the images. The bound adds the distortion.",
                    "If `distortion` is lost too, mend that first: the bound needs it.",
                ),
            ),
            Part(
                "exact",
                2,
                "on small models: what the images cost when all pairs of codes are summed over",
                call_measure,
                inputs=small_models,
                compare=("exact",),
                hints=(
                    "How many terms has p(x) for one image? Each pair of codes gives one: prior times both "
                    "halves' pixels.",
                    "Sum probabilities, not their logarithms, for each image by itself; then the logarithm; "
                    "then the mean.",
                    "exp(-2000) is 0. Take the largest exponent out of the sum first, or use "
                    "np.logaddexp.reduce.",
                ),
            ),
            Part(
                "reported",
                1,
                "your run: the four numbers under the autoregressive prior",
                give_report,
                conceal=True,
                digits=4,
                requires=("distortion", "rate", "exact"),
                hints=(
                    "Are they of `log_joint` and the 500 test images?",
                    "Give four digits or more.",
                ),
            ),
            Part(
                "reported separate",
                1,
                "your run: the bound under the prior of independent codes",
                give_separate,
                conceal=True,
                digits=4,
                requires=("distortion", "rate"),
                hints=(
                    "Is it the `bound` with `log_separate`, for the same test images?",
                    "Give four digits or more.",
                ),
            ),
        ],
    ),
    Question(
        id="03.6",
        title="WaveNet with queues",
        kind="implement",
        difficulty=5,
        minutes=40,
        reference={"read": read},
        needs=("03.2",),
        exempt={"no gradient": "the text asks for no gradients: it is for drawing"},
        parts=[
            Part(
                "one place",
                2,
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
                2,
                "pieces of any length, kernels of size 1, and inputs in the thousands",
                call_read,
                inputs=pieces,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If `one place` is lost too, mend that first.",
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
                    "If another part is lost, mend that first.",
                    "Before the beginning there are zeros, (k - 1) * 2**layer of them for each layer.",
                ),
            ),
            Part(
                "two ways on",
                2,
                "two sequences that go on from the same queues, one of them place by place",
                call_futures,
                inputs=futures,
                rtol=1e-3,
                atol=1e-4,
                hints=(
                    "If another part is lost, mend that first.",
                    "Do you write into the queues that you were given, or into a list outside the function?",
                ),
            ),
        ],
    ),
]
