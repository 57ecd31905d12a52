"""Question 17.5: A cache of a few bits."""

import numpy as np
import torch
from autograder.authoring import Part, Question, normal, sizes


def codes(rng, rows, width, bits):
    """Vectors that round to known codes: no number is near the middle of two, and the largest is a code."""
    most = 2 ** (bits - 1) - 1
    x = rng.integers(-most, most + 1, (rows, width)) + rng.uniform(-0.4, 0.4, (rows, width))
    x = np.clip(x, -most, most)
    x[np.arange(rows), rng.integers(0, width, rows)] = most * rng.choice([-1.0, 1.0], rows)
    step = np.exp(rng.uniform(-2, 2, (rows, 1)))
    return torch.from_numpy((step * x).astype(np.float32))


def eight_bits(rng):
    for time, d in sizes(rng, time=5, d=6, far={"d": 110}):
        yield {"x": codes(rng, time, d, 8), "bits": 8}
    yield {"x": 1e-6 * codes(rng, 3, 4, 8), "bits": 8}
    yield {"x": 40 * codes(rng, 3, 4, 8), "bits": 8}


def few_bits(rng):
    for bits in (2, 3, 4, 5, 6, 7):
        time, d = (int(size) for size in rng.integers(1, 6, 2))
        yield {"x": codes(rng, time, d, bits), "bits": bits}
    yield {"x": codes(rng, 4, 3, 4), "bits": 4}


def nothing(rng):
    """A vector of zeros behind one whose numbers have the largest code."""
    for d, size in ((1, 4.0), (2, 0.25), (5, 1.0)):
        signs = torch.from_numpy(rng.choice([-1.0, 1.0], d).astype(np.float32))
        signs[-1] = 1.0
        yield {"x": torch.stack([127 * size * signs, 0 * signs]), "bits": 8}


def stored(rng):
    for time, d in sizes(rng, time=5, d=6, far={"d": 110}):
        made = rng.integers(-127, 128, (time, d))
        step = normal(rng, time, 1).abs() * (1e-3 if time == 3 else 1.0)
        yield {"codes": torch.from_numpy(made).to(torch.int8), "step": step}
    yield {"codes": torch.full((2, 2), -127, dtype=torch.int8), "step": torch.tensor([[20.0], [0.0]])}
    yield {"codes": torch.full((2, 2), -127, dtype=torch.int8), "step": torch.tensor([[9e-4], [5e-4]])}


def give_codes(student, inputs):
    made, step = student.encode(inputs["x"], inputs["bits"])
    return {"codes": torch.as_tensor(made).double(), "step": step}


def give_back(student, inputs):
    return {"x": student.decode(inputs["codes"], inputs["step"])}


def encode(x, bits):
    most = 2 ** (bits - 1) - 1
    step = x.double().abs().max(1, keepdim=True).values / most
    safe = torch.where(step == 0, torch.ones_like(step), step)
    return (x.double() / safe).round(), step


def decode(codes, step):
    return codes.double() * step.double()


QUESTION = Question(
    id="17.5",
    title="A cache of a few bits",
    kind="implement",
    difficulty=2,
    minutes=20,
    reference={"encode": encode, "decode": decode},
    exempt={
        "no gradient": "a cache serves, nothing trains through it",
        "encode: bits is 1": "codes have from 2 to 8 bits",
    },
    clauses={
        "and a float tensor (time, 1), the steps": "a step for each vector: `one_step` loses three parts",
        "step:    float tensor (time, 1)": "the same steps",
        "all zeros": ("zeros", "divided_by_zero"),
        "nearest": "all parts with codes: `truncated` loses codes and bits",
        "from 2 to 8": ("bits", "always_eight"),
    },
    parts=[
        Part(
            "codes",
            2,
            "codes and steps of eight bits",
            give_codes,
            inputs=eight_bits,
            hints=(
                "Which code has the largest number of a vector, and which the smallest?",
                "The step is the largest absolute number of this vector, over the largest code.",
                "A code is the nearest whole number, so 2.6 becomes 3 and -2.6 becomes -3.",
            ),
        ),
        Part(
            "bits",
            1,
            "codes and steps of fewer bits",
            give_codes,
            inputs=few_bits,
            hints=(
                "What is the largest code of two bits? Of four?",
                "With b bits, codes lie between plus and minus 2 to the power b - 1, less one.",
            ),
        ),
        Part(
            "zeros",
            1,
            "vectors of zeros",
            give_codes,
            inputs=nothing,
            hints=(
                "What is the step of a vector of zeros, and what happens when you divide by it?",
                "Its codes are zeros too, and so is its step.",
            ),
        ),
        Part(
            "back",
            1,
            "the vectors that codes stand for",
            give_back,
            inputs=stored,
            hints=(
                "What does one step of the codes mean for the number?",
                "Multiply every code of a vector by the vector's step, in floating point.",
            ),
        ),
    ],
)
