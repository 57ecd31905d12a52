"""Question 05.7: A decoder with attention."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import lengths_up_to, softmax_over


def weights(rng, n_words, d, scale=1.0):
    """The parameters of a decoder, by their names."""
    shapes = {
        "words.weight": (n_words, d),
        "W.weight": (d, d),
        "U.weight": (d, d),
        "v.weight": (1, d),
        "g.weight_ih": (4 * d, 2 * d),
        "g.weight_hh": (4 * d, d),
        "g.bias_ih": (4 * d,),
        "g.bias_hh": (4 * d,),
        "F.weight": (n_words, 2 * d),
        "F.bias": (n_words,),
    }
    drawn = {name: normal(rng, *shape) for name, shape in shapes.items()}
    return drawn | {"v.weight": scale * drawn["v.weight"]}


def decoding(rng, shapes, scale=1.0, padded=True):
    for batch, steps, time, n_words, d in shapes:
        lengths = lengths_up_to(rng, batch, time, 1 if padded else time)
        if batch == 1 and padded:
            lengths[:] = max(1, time - 2)
        case = weights(rng, n_words, d, scale)
        case |= {name: torch.tanh(normal(rng, batch, d)) for name in ("q", "memory")}
        case |= {"h": torch.tanh(normal(rng, batch, time, d)), "lengths": lengths}
        case |= {
            "inputs": torch.from_numpy(rng.integers(0, n_words, (batch, steps))),
            "upstream": normal(rng, batch, steps, n_words),
            "upstream of the weights": normal(rng, batch, steps, time),
        }
        yield case


def small_weight(rng, steps=1):
    """A decoder of one feature: the first weight is 0.0006, and what is read of the context is large."""
    (case,) = decoding(rng, [(1, steps, 3, 2, 1)], padded=False)
    h, v = torch.tensor([-1.0, 0.0, 1.0]), 7.5
    context = ((1 + h).tanh() * v).softmax(0) @ h
    case |= {name: torch.ones(1, 1) for name in ("q", "W.weight", "U.weight")}
    case |= {"h": h[None, :, None], "v.weight": torch.full((1, 1), v)}
    case["g.weight_ih"][:, 1], case["F.weight"][:, 1] = 20.0, 20.0
    case["g.bias_ih"], case["F.bias"] = -20 * context.repeat(4), case["F.bias"] - 20 * context
    return case | {"upstream": 1 + case["upstream"].abs()}


def scaled_states(rng):
    """One step from states below a thousandth, and one from states above ten."""
    for scale in (3e-4, 15.0):
        (case,) = decoding(rng, [(2, 1, 3, 3, 2)], padded=False)
        case |= {name: case[name] * scale for name in ("q", "memory", "h")}
        yield case | {name: case[name] / scale for name in ("W.weight", "U.weight", "g.weight_hh")}


def single_steps(rng):
    """Sources without padding; a small weight; numbers below a thousandth and above ten; and the example."""
    shapes = [
        (batch, 1, time, n_words, d)
        for batch, time, n_words, d in sizes(rng, batch=3, time=4, n_words=(2, 5), d=3)
    ]
    yield from decoding(rng, [(2, 1, 4, 5, 3), *shapes], padded=False)
    yield small_weight(rng)
    yield from scaled_states(rng)
    (case,) = decoding(rng, [(2, 1, 4, 3, 2)], padded=False)
    case |= {name: torch.zeros_like(w) for name, w in case.items() if "." in name}
    yield case | {"memory": torch.ones(2, 2)}


def passes(rng):
    """Drawn; then words above 255, states below a thousandth and above ten, and a small weight."""
    shapes = list(sizes(rng, batch=3, steps=4, time=4, n_words=5, d=3))
    yield from decoding(rng, [(2, 3, 4, 5, 3), *shapes], padded=False)
    (case,) = decoding(rng, [(1, 2, 2, 262, 1)], padded=False)
    yield case | {"inputs": torch.from_numpy(rng.permutation(6)[None, :2] + 256)}
    yield from scaled_states(rng)
    yield small_weight(rng)


def padded_passes(rng):
    """Sources of several lengths, then padding that holds thousands, then scores in the thousands."""
    shapes = list(sizes(rng, batch=3, steps=3, time=5, n_words=4, d=3))
    yield from decoding(rng, [(3, 3, 4, 4, 2), *shapes, (1, 1, 262, 1, 1)])
    yield small_weight(rng)
    for case in decoding(rng, [(3, 2, 5, 4, 3), (1, 3, 4, 3, 2)]):
        behind = torch.arange(case["h"].shape[1]) >= case["lengths"][:, None]
        case["h"] = torch.where(behind[:, :, None], 1000 * case["h"], case["h"])
        yield case
    yield from loud_passes(rng)


def passes_to_learn(rng):
    """Drawn; a small weight; and a long pass whose memory lasts."""
    shapes = list(sizes(rng, batch=3, steps=3, time=4, n_words=4, d=3))
    yield from decoding(rng, [(2, 3, 4, 5, 3), (1, 4, 5, 3, 2), *shapes])
    yield small_weight(rng)
    (case,) = decoding(rng, [(1, 40, 3, 2, 2)])
    case |= {name: case[name] / 4 for name in ("g.weight_ih", "g.weight_hh")}
    case["g.bias_ih"][2:4] = 5.0
    yield case


def loud_passes(rng):
    """Rows whose real scores are a thousand below zero, or above it; those of the padding are far above.

    In the last case all sources have the same length.
    """
    for batch, steps, time, n_words, d in [(3, 2, 5, 4, 3), (2, 3, 4, 3, 2), (3, 2, 6, 3, 3)]:
        (case,) = decoding(rng, [(batch, steps, time, n_words, d)])
        case["lengths"] = torch.from_numpy(rng.integers(2, time, batch))
        if time == 6:
            case["lengths"][:] = 4
        case["W.weight"][0], case["U.weight"][0] = 0.0, 0.0
        case["U.weight"][0, 0], case["v.weight"][0, 0] = 12.0, 1000.0
        signs = torch.tensor([-0.9, 0.9, -0.9])[:batch, None]
        behind = torch.arange(time) >= case["lengths"][:, None]
        case["h"][:, :, 0] = torch.where(behind, 0.9, signs)
        yield case


def call_step(student, inputs):
    decoder = student.Decoder(*inputs["words.weight"].shape)
    decoder.load_state_dict({name: inputs[name] for name in decoder.state_dict()})
    state = (inputs["q"], inputs["memory"])
    logits, (q, memory), alpha = decoder.step(inputs["inputs"][:, 0], state, inputs["h"], inputs["lengths"])
    passed = decoder(inputs["inputs"], state, inputs["h"], inputs["lengths"])[0]
    answers = bool(passed.isfinite().all()) and bool(passed.std() > 0)
    found = {"weights": alpha, "state": q, "memory": memory, "logits": logits, "answers": answers}
    state, words = (-inputs["q"], -inputs["memory"]), inputs["words.weight"].shape[0]
    given = (words - 1 - inputs["inputs"][:, 0], state, -inputs["h"], inputs["lengths"])
    logits, (q, memory), alpha = decoder.step(*given)
    second = {"weights": alpha, "state": q, "memory": memory, "logits": logits}
    return found | {f"{name} of the second step": output for name, output in second.items()}


def call_decoder(student, inputs):
    decoder = student.Decoder(*inputs["words.weight"].shape)
    decoder.load_state_dict({name: inputs[name] for name in decoder.state_dict()})
    state = (inputs["q"], inputs["memory"])
    logits, alpha = decoder(inputs["inputs"], state, inputs["h"], inputs["lengths"])
    return {"logits": logits, "weights": alpha}


def call_twice(student, inputs):
    decoder = student.Decoder(*inputs["words.weight"].shape)
    decoder.load_state_dict({name: inputs[name] for name in decoder.state_dict()})
    outputs, words = {}, inputs["words.weight"].shape[0]
    first = (inputs["inputs"], (inputs["q"], inputs["memory"]), inputs["h"])
    second = (words - 1 - inputs["inputs"], (-inputs["q"], -inputs["memory"]), -inputs["h"])
    for call, given in (("", first), (" of the second call", second)):
        logits, alpha = decoder(*given, inputs["lengths"])
        outputs |= {f"logits{call}": logits, f"weights{call}": alpha}
    return outputs


def call_backward(student, inputs):
    decoder = student.Decoder(*inputs["words.weight"].shape).double()
    decoder.load_state_dict({name: inputs[name] for name in decoder.state_dict()})
    leaves = {name: inputs[name].double().requires_grad_() for name in ("q", "memory", "h")}
    state = (leaves["q"], leaves["memory"])
    logits, alpha = decoder(inputs["inputs"], state, leaves["h"], inputs["lengths"])
    total = (logits * inputs["upstream"]).sum() + (alpha * inputs["upstream of the weights"]).sum()
    if total.requires_grad:
        total.backward()
    leaves |= dict(decoder.named_parameters())
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


class Decoder(torch.nn.Module):
    """The LSTM written out, in float64."""

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        (q, memory), h = (part.double() for part in state), h.double()
        real = torch.arange(h.shape[1]) < lengths[:, None]
        inner = (q @ self.W.weight.double().T)[:, None] + h @ self.U.weight.double().T
        alpha = softmax_over(inner.tanh() @ self.v.weight[0].double(), real)
        context = (alpha[:, :, None] * h).sum(1)
        read = torch.cat([self.words.weight[word].double(), context], 1)
        sums = read @ self.g.weight_ih.double().T + q @ self.g.weight_hh.double().T
        enter, forget, new, show = (sums + self.g.bias_ih + self.g.bias_hh).chunk(4, 1)
        memory = enter.sigmoid() * new.tanh() + forget.sigmoid() * memory
        q = show.sigmoid() * memory.tanh()
        return torch.cat([q, context], 1) @ self.F.weight.double().T + self.F.bias, (q, memory), alpha

    def forward(self, inputs, state, h, lengths):
        logits, weights = [], []
        for word in inputs.T:
            scores, state, alpha = self.step(word, state, h, lengths)
            logits.append(scores)
            weights.append(alpha)
        return torch.stack(logits, 1), torch.stack(weights, 1)


QUESTION = Question(
    id="05.7",
    title="A decoder with attention",
    kind="implement",
    difficulty=4,
    minutes=35,
    reference={"Decoder": Decoder},
    needs=("05.2",),
    exempt={
        "a large negative number for minus infinity": "scores are in the thousands: -1e9 is as good, since "
        "every source has a letter",
    },
    clauses={
        "The additive score of 05.2": "says where the score is from",
        "for the vector of the word that step": "names what the equations name",
        "the pass through a whole target": "a part of its own",
        "Unlike the decoder of 05.4": "no_context and others lose five parts",
        "hold sources of one length": "says what the chapter does; here lengths differ",
        "at least one, and padding behind": ("padding", "renormalized"),
        "weights of exactly 0": ("padding", "small_mask"),
        "a source of four real letters": "an example, which is a case of each part of one step",
        "from 1 to T": "no case has less; one letter is a case of padding",
        "q_0 and its memory": "first_state_always loses pass, padding and gradients",
    },
    parts=[
        Part(
            "weights",
            2,
            "one step, no padding: the weights",
            call_step,
            inputs=single_steps,
            compare=("weights", "weights of the second step", "answers"),
            hints=(
                (
                    "Compute the score of one letter by hand: which state asks, what do W, U, tanh and v "
                    "make of it, and is that all? Over which axis is the softmax?"
                ),
                "W acts on the query and U on the encoder's states. Their sum goes through tanh, then v "
                "makes one number of it.",
                "For each row the weights of the source's letters sum to 1. Which axis counts the letters?",
            ),
        ),
        Part(
            "state",
            2,
            "one step, no padding: the new state and its memory",
            call_step,
            inputs=single_steps,
            compare=(
                "state",
                "memory",
                "state of the second step",
                "memory of the second step",
                "answers",
            ),
            hints=(
                ("What does the cell get: which state, which memory, and which two vectors, in which order?"),
                "The context is a weighted sum of the encoder's states h, not of U h.",
            ),
        ),
        Part(
            "logits",
            1,
            "one step, no padding: the logits",
            call_step,
            inputs=single_steps,
            compare=("logits", "logits of the second step", "answers"),
            hints=(
                "F reads two vectors. One of them has just been computed by the cell.",
                "Behind one another: the new state first, then the context.",
            ),
        ),
        Part(
            "pass",
            1,
            "all steps of a target, no padding",
            call_twice,
            inputs=passes,
            hints=(
                (
                    "Compute two steps by hand: what does each of them read, what does it hand on, and "
                    "which weights and logits belong to it?"
                ),
                "The steps are axis 1 of both results.",
            ),
        ),
        Part(
            "padding",
            2,
            "sources of several lengths, large scores too",
            call_decoder,
            inputs=padded_passes,
            rtol=1e-3,
            atol=1e-3,
            hints=(
                (
                    "Print the scores and the weights of a short source of the case that is named: how "
                    "large are they, which letters have a weight, and what do the weights sum to?"
                ),
                "The softmax must run over the real letters only. What score gives a weight of exactly 0?",
            ),
        ),
        Part(
            "gradients",
            1,
            "the gradients of all parameters, the states of the encoder and the first state, in float64",
            call_backward,
            inputs=passes_to_learn,
            rtol=1e-4,
            atol=1e-8,
            hints=(
                "Does something cut the gradient off, such as detach, no_grad, item or numpy?",
                "Let new tensors have the dtype of those that you were given.",
            ),
        ),
    ],
)
