"""Question 16.1: The weights of a memory."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import gates


def open_gates(rng):
    """Sizes of every kind, a text of more than a hundred words, and input gates near 0."""
    for batch, time, width in sizes(rng, batch=3, time=6, width=4):
        yield {
            "enter": gates(rng, batch, time, width),
            "forget": gates(rng, batch, time, width, low=0.3),
        }
    long = int(rng.integers(101, 108))
    yield {"enter": gates(rng, 1, long, 1), "forget": gates(rng, 1, long, 1, low=0.3)}
    for small in ("enter", "forget"):
        case = {"enter": gates(rng, 2, 3, 2), "forget": gates(rng, 2, 3, 2, low=0.3)}
        yield case | {small: 2e-3 * case[small]}


def closed_gates(rng):
    """In every text some forget gates are 0, or so many are small that their product is."""
    for batch, time, width in [(2, 5, 3), (2, 5, 3), (1, 4, 1), (3, 6, 2)]:
        forget = gates(rng, batch, time, width, low=0.3)
        forget[:, int(rng.integers(1, time - 1))] = 0.0
        yield {"enter": gates(rng, batch, time, width), "forget": forget}
    yield {"enter": gates(rng, 1, 60, 1), "forget": 1e-3 * gates(rng, 1, 60, 1, low=0.3)}


def sent_back(rng):
    cases = [case for case in list(open_gates(rng))[:-1] if case["enter"].shape[1] < 100]
    for case in [*cases, {"enter": gates(rng, 1, 33, 1), "forget": gates(rng, 1, 33, 1, low=0.3)}]:
        batch, time, width = case["enter"].shape
        yield {**case, "upstream": normal(rng, batch, time, time, width)}


def call(student, inputs):
    return {"w": student.memory_weights(inputs["enter"], inputs["forget"])}


def call_backward(student, inputs):
    enter, forget = (inputs[name].clone().requires_grad_() for name in ("enter", "forget"))
    (student.memory_weights(enter, forget) * inputs["upstream"]).sum().backward()
    unused = [torch.zeros_like(leaf) if leaf.grad is None else leaf.grad for leaf in (enter, forget)]
    return {"gradient of enter": unused[0], "gradient of forget": unused[1]}


def memory_weights(enter, forget):
    """Column by column: a word is written, and from then on meets one gate after the other."""
    enter, forget = enter.double(), forget.double()
    batch, time, width = enter.shape
    w = enter.new_zeros(batch, time, time, width)
    for s in range(time):
        left = torch.cat([torch.ones_like(enter[:, :1]), forget[:, s + 1 :]], 1).cumprod(1)
        w[:, s:, s] = enter[:, s, None] * left
    return w


QUESTION = Question(
    id="16.1",
    title="The weights of a memory",
    kind="implement",
    difficulty=2,
    minutes=15,
    reference={"memory_weights": memory_weights},
    exempt={
        "enter clipped at 10": "gates lie between 0 and 1",
        "forget clipped at 10": "gates lie between 0 and 1",
    },
    clauses={
        "numbers between 0 and 1": "said of the inputs, which are such",
        "may be exactly 0": ("closed gates", "divided"),
        "Models train through the weights": ("gradients", "detached"),
    },
    parts=[
        Part(
            "weights",
            2,
            "each word has the weight that its input gate and all later forget gates give it",
            call,
            inputs=open_gates,
            hints=(
                "Take two words and write down all four weights by hand. Which of them contain f_2, and "
                "does any contain f_1?",
                "From one word to the next, all old weights are multiplied by the same gate, and one weight "
                "is new.",
                "The second axis of the result is the word that reads, the third the word that is read.",
            ),
        ),
        Part(
            "closed gates",
            1,
            "forget gates of 0, and products too small for a number",
            call,
            inputs=closed_gates,
            atol=1e-7,
            hints=(
                "Let one forget gate be 0. What is left of the words before it, and what of those after?",
                "A quotient of two products is a product only if nothing is divided by 0, and a logarithm "
                "of 0 is no number.",
                "Multiply what is there at each word, and divide by nothing.",
            ),
        ),
        Part(
            "gradients",
            1,
            "the gradients reach both kinds of gates",
            call_backward,
            inputs=sent_back,
            rtol=1e-3,
            hints=(
                "Call backward on (weights * upstream).sum() with random upstream. Is one gradient None, "
                "zero or NaN?",
                "What the function gives wrong has wrong gradients too. Where it is right, look for "
                "detach, no_grad, or numbers written into a tensor that is needed again.",
            ),
        ),
    ],
)
