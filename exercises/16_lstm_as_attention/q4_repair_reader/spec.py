"""Question 16.4: Repair the reader."""

import torch
from autograder.authoring import Part, Question, normal, sizes


def network(rng, batch, time, d_in, width):
    """A text and an LSTM's parameters; rows of input gate, forget gate, candidate and output gate."""
    return {
        "x": normal(rng, batch, time, d_in),
        "weight_ih": normal(rng, 4 * width, d_in) * d_in**-0.5,
        "weight_hh": normal(rng, 4 * width, width) * 1.5 * width**-0.5,
        "bias_ih": normal(rng, 4 * width),
        "bias_hh": normal(rng, 4 * width),
    }


def networks(rng):
    for batch, time, d_in, width in sizes(rng, batch=3, time=5, d_in=4, width=4):
        yield network(rng, batch, time, d_in, width)


def networks_of_any_size(rng):
    """A text of more than a hundred words too, and tiny and large inputs."""
    yield from networks(rng)
    yield network(rng, 1, int(rng.integers(101, 105)), 2, 1)
    for unit in (1e-3, 30.0):
        case = network(rng, 2, 4, 3, 2)
        yield case | {"x": unit * case["x"], "weight_ih": case["weight_ih"] / unit}


def nothing_forgotten(rng):
    """No recurrence, and forget gates of exactly 1: the weights are the input gates."""
    for case in networks(rng):
        width = case["weight_hh"].shape[1]
        bias, hidden = case["bias_ih"].clone(), torch.zeros_like(case["weight_hh"])
        bias[width : 2 * width] = 100.0
        yield case | {"bias_ih": bias, "weight_hh": hidden}


def equal_gates(rng):
    """No recurrence, and input gates that are equal to the forget gates."""
    for case in networks(rng):
        width = case["weight_hh"].shape[1]
        case |= {"weight_hh": torch.zeros_like(case["weight_hh"])}
        for name in ("weight_ih", "bias_ih", "bias_hh"):
            case[name][:width] = case[name][width : 2 * width]
        yield case


def sent_back(rng):
    """Also through a text of more than thirty words."""
    for case in [*networks(rng), network(rng, 1, 33, 2, 1)]:
        batch, time, _ = case["x"].shape
        width = case["weight_hh"].shape[1]
        yield case | {
            "upstream of w": normal(rng, batch, time, time, width),
            "upstream of the candidates": normal(rng, batch, time, width),
        }


def give_weights(student, inputs):
    lstm = torch.nn.LSTM(inputs["x"].shape[2], inputs["weight_hh"].shape[1], batch_first=True)
    with torch.no_grad():
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            getattr(lstm, name + "_l0").copy_(inputs[name])
        return {"w": student.read_lstm(lstm, inputs["x"])[0]}


def give_candidates(student, inputs):
    lstm = torch.nn.LSTM(inputs["x"].shape[2], inputs["weight_hh"].shape[1], batch_first=True)
    with torch.no_grad():
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            getattr(lstm, name + "_l0").copy_(inputs[name])
        return {"candidates": student.read_lstm(lstm, inputs["x"])[1]}


def give_all(student, inputs):
    """Of an LSTM that has been read before."""
    lstm = torch.nn.LSTM(inputs["x"].shape[2], inputs["weight_hh"].shape[1], batch_first=True)
    with torch.no_grad():
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            getattr(lstm, name + "_l0").copy_(inputs[name])
        student.read_lstm(lstm, inputs["x"] / 2)
        w, candidates = student.read_lstm(lstm, inputs["x"])
        return {"w": w, "candidates": candidates}


def give_gradients(student, inputs):
    lstm = torch.nn.LSTM(inputs["x"].shape[2], inputs["weight_hh"].shape[1], batch_first=True)
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    with torch.no_grad():
        for name in names:
            getattr(lstm, name + "_l0").copy_(inputs[name])
    x = inputs["x"].clone().requires_grad_()
    w, candidates = student.read_lstm(lstm, x)
    loss = (w * inputs["upstream of w"]).sum()
    (loss + (candidates * inputs["upstream of the candidates"]).sum()).backward()
    found = {name: getattr(lstm, name + "_l0").grad for name in names} | {"x": x.grad}
    return {
        f"gradient of {name}": torch.zeros_like(inputs[name]) if gradient is None else gradient
        for name, gradient in found.items()
    }


def read_lstm(lstm, x):
    weights = [lstm.weight_ih_l0, lstm.weight_hh_l0, lstm.bias_ih_l0, lstm.bias_hh_l0]
    weight_ih, weight_hh, bias_ih, bias_hh = (part.double() for part in weights)
    x, time = x.double(), x.shape[1]
    h = x.new_zeros(x.shape[0], weight_hh.shape[1])
    c, kept = h, []
    for t in range(time):
        i, f, g, o = (x[:, t] @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh).chunk(4, -1)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        c = i * g + f * c
        h = o * c.tanh()
        kept.append((i, f, g))
    enter, forget, candidates = (torch.stack(part, 1) for part in zip(*kept, strict=True))
    w = x.new_zeros(x.shape[0], time, time, h.shape[1])
    for s in range(time):
        left = torch.cat([torch.ones_like(forget[:, :1]), forget[:, s + 1 :]], 1).cumprod(1)
        w[:, s:, s] = enter[:, s, None] * left
    return w, candidates


QUESTION = Question(
    id="16.4",
    title="Repair the reader",
    kind="repair",
    difficulty=3,
    minutes=25,
    reference={"read_lstm": read_lstm},
    exempt={
        "extreme exponents": "the faults are others; logistic functions have no exponentials to shift",
    },
    clauses={
        "set weights to zero or biases to 100": "a way to look, not a demand",
        "has one layer, one direction and biases": "what is read is such",
        "Gradients must reach": ("gradients", "detached"),
        "from c_0 = h_0 = 0": "the LSTM is called without a state, and starts there",
    },
    parts=[
        Part(
            "order",
            1,
            "each gate is the right one",
            give_weights,
            inputs=nothing_forgotten,
            hints=(
                "Here all forget gates are 1 and nothing recurs. What must the weights be, and what are "
                "they?",
                "In which order does PyTorch stack the rows of its gates? The documentation of nn.LSTM "
                "says it.",
            ),
        ),
        Part(
            "own gate",
            1,
            "each word has met the right forget gates",
            give_weights,
            inputs=equal_gates,
            hints=(
                "Take a text of one word: what must its weight be?",
                "Which comes first in a step, that the old fades or that the new is written?",
            ),
        ),
        Part(
            "before",
            2,
            "the candidates are those of the LSTM",
            give_candidates,
            inputs=networks,
            hints=(
                "Write down the candidate of the first word. Which h stands in it?",
                "The gates of step t see h of the step before. Where does h of step t stand in the output?",
            ),
        ),
        Part(
            "all",
            1,
            "weights and candidates together, whatever was read before",
            give_all,
            inputs=networks_of_any_size,
            hints=(
                "Multiply the weights and the candidates and add up over s. Is the last sum the memory "
                "that the LSTM returns?",
                "If each of the parts above is right by itself, compare a text of two words by hand.",
            ),
        ),
        Part(
            "gradients",
            1,
            "the gradients reach x and all four parameters",
            give_gradients,
            inputs=sent_back,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Make a loss of the weights and one of the candidates, and look at the gradients of each.",
                "What is given wrong has wrong gradients too. Where the values are right, something cuts "
                "the gradient off.",
            ),
        ),
    ],
)
