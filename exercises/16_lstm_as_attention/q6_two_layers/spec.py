"""Question 16.6: Two layers by hand."""

import numpy as np
import torch
from autograder.authoring import Part, Question


def texts(rng, symbols, before, after, count=4):
    """So many texts of random symbols around a marker; the symbol behind it is drawn for each."""
    rows = rng.integers(0, symbols, (count, before + 2 + after))
    rows[:, before] = symbols
    return torch.from_numpy(rows)


def case(rows, symbols):
    return {"symbols": symbols, "texts": rows}


def short_texts(rng):
    """Nothing follows the symbol; what stands before is another symbol throughout, or nothing at all."""
    for symbols, before in [(1, 0), (1, 2), (2, 0), (3, 4), (5, 1), (8, 6), (8, 6)]:
        rows = texts(rng, symbols, before, 0)
        rows[:, :before] = (rows[:, -1:] + 1) % symbols
        yield case(rows, symbols)
    many = int(rng.integers(257, 280))
    rows = texts(rng, many, 2, 0)
    rows[:, -1] = torch.tensor([0, 255, 256, many - 1])
    yield case(rows, many)


def kept_texts(rng):
    """A few symbols follow, another one more often than the one that is asked for."""
    for symbols, before, after in [
        (1, 1, 1),
        (2, 0, 1),
        (2, 1, 3),
        (4, 0, 4),
        (8, 3, 9),
        (8, 3, 9),
        (6, 5, 12),
    ]:
        rows = texts(rng, symbols, before, after, count=2 * symbols)
        rows[:, before + 1] = torch.arange(2 * symbols) % symbols
        others = (
            rows[:, before + 1] + torch.from_numpy(rng.integers(1, max(symbols, 2), 2 * symbols))
        ) % symbols
        rows[:, before + 2 : before + 4] = others[:, None]
        yield case(rows, symbols)


def long_texts(rng):
    """Up to two hundred symbols follow, every second of them another one; a hundred stand before."""
    for symbols, before, after in [(8, 0, 200), (3, 100, 200), (5, int(rng.integers(0, 9)), 150)]:
        rows = texts(rng, symbols, before, after)
        other = (rows[:, before + 1] + 1) % symbols
        rows[:, before + 2 :: 2] = other[:, None]
        rows[:, before + 3] = other
        yield case(rows, symbols)


def drowned_texts(rng):
    """All other words are one other symbol."""
    for symbols, before, after in [(2, 3, 200), (8, 50, 100), (4, 0, 30), (6, 150, 2)]:
        rows = texts(rng, symbols, before, after)
        asked = torch.arange(4) % symbols
        rows[:] = ((asked + 1) % symbols)[:, None]
        rows[:, before], rows[:, before + 1] = symbols, asked
        yield case(rows, symbols)


def call(student, inputs):
    """The two layers in float64, on all texts at the same time."""
    x = torch.nn.functional.one_hot(inputs["texts"], inputs["symbols"] + 1).double()
    for layer in student.build(inputs["symbols"]):
        part = {name: torch.as_tensor(numbers).detach().double() for name, numbers in layer.items()}
        candidate = torch.tanh(x @ part["W_c"].T + part["b_c"])
        enter = torch.sigmoid(x @ part["W_i"].T + part["b_i"])
        forget = torch.sigmoid(x @ part["W_f"].T + part["b_f"])
        c, outputs = torch.zeros_like(candidate[:, 0]), []
        for place in range(x.shape[1]):
            c = enter[:, place] * candidate[:, place] + forget[:, place] * c
            outputs.append(torch.tanh(c))
        x = torch.stack(outputs, dim=1)
    return {"answers": x[:, -1, : inputs["symbols"]].argmax(dim=1)}


def build(symbols):
    """As the solution, with the fading number a third at each word."""
    here, flag = np.eye(symbols + 1), np.zeros((symbols, symbols + 1))
    flag[:, -1] = 1.0
    never, always = np.full(symbols, -80.0), np.full(symbols, 80.0)
    nothing = np.zeros((symbols + 1, symbols + 1))
    first = {"W_c": 5 * here, "W_i": nothing, "W_f": nothing, "b_c": np.zeros(symbols + 1)}
    first |= {"b_i": np.append(always, 80.0), "b_f": np.append(never, -np.log(2.0))}
    second = {"W_c": 5 * here[:-1], "W_i": 800 * flag, "W_f": 0 * flag}
    second |= {"b_c": 0 * always, "b_i": np.full(symbols, -800 * 0.2), "b_f": always}
    return [first, second]


QUESTION = Question(
    id="16.6",
    title="Two layers by hand",
    kind="implement",
    difficulty=5,
    minutes=35,
    reference={"build": build},
    exempt={
        "no gradient": "the numbers are chosen, nothing trains",
        "half precision": "the numbers may be round, and half precision holds those of the solution",
        "build: remembers by shape": "it is a function of one whole number",
        "symbols is 1": "of one symbol the answer is known, whatever the layers are",
    },
    clauses={
        "of one marker, token": "all texts have one",
        "stands right after the marker": "all parts ask for it: `last` and `marker_stays` lose them",
        "vectors of $n + 1$ numbers": "the form of the input, which the program makes",
        "of the first $n$ numbers": "the form of the answer, which the program reads",
        "two hundred others may follow": "long and drowned have such texts: `leaking` and `fading` lose them",
        "all may be the same": "drowned has such texts: `marker_stays` loses them",
        "a whole number, n": "the parts have from one symbol to 280",
    },
    parts=[
        Part(
            "short",
            2,
            "the text ends with the symbol",
            call,
            inputs=short_texts,
            hints=(
                "Run your two layers on the text marker, symbol, and print h of both at each token.",
                "The first layer must hand on the present symbol, and say whether the token before it was "
                "the marker.",
                "The second layer's input gate opens at one value of that number alone.",
            ),
        ),
        Part(
            "kept",
            2,
            "a few symbols follow",
            call,
            inputs=kept_texts,
            hints=(
                "Print the second layer's input gates at each token. Where are they open?",
                "A number that was 1 at the marker and fades by half is a clock. What is it at the symbol, "
                "and what one token later?",
                "Between these two values the input gate must go from open to closed.",
            ),
        ),
        Part(
            "long",
            2,
            "two hundred symbols follow",
            call,
            inputs=long_texts,
            hints=(
                "What do two hundred input gates that are nearly closed let in, all together?",
                "A large factor makes a gate as sharp as you like. And is the forget gate near enough to 1?",
            ),
        ),
        Part(
            "drowned",
            3,
            "all other words are one other symbol",
            call,
            inputs=drowned_texts,
            hints=(
                "What does one other symbol bring to the second memory, if it stands there a hundred times?",
                "It must be nothing: before the marker, at the marker, and after the symbol.",
            ),
        ),
    ],
)
