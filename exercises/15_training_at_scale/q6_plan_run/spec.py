"""Question 15.6: Plan a run."""

import math

from autograder.authoring import Part, Question

from ..inputs import whole


def rates(rng, kinds):
    for step, warmup_steps, steps in kinds:
        peak = float(rng.uniform(1e-4, 1e-2))
        yield {"step": step, "peak": peak, "warmup_steps": warmup_steps, "steps": steps}


def rising(rng):
    yield from rates(rng, [(0, 4, 10), (2, 4, 10), (3, 4, 10), (3, 4, 10), (0, 1, 3), (6, 9, 5), (8, 9, 9)])
    yield {"step": 1, "peak": 20.0, "warmup_steps": 3, "steps": 8}
    for most in (5, 60, 60, 2000):
        w, rest = whole(rng, 2, most), whole(rng, 1, most)
        yield from rates(rng, [(whole(rng, 0, w), w, w + rest), (w - 1, w, w + rest)])


def falling(rng):
    yield from rates(rng, [(4, 4, 10), (6, 4, 10), (8, 4, 10), (9, 4, 10), (9, 4, 10), (10, 4, 10)])
    yield from rates(rng, [(0, 0, 1), (0, 0, 5), (9, 9, 9), (9, 9, 5), (2, 1, 3), (13, 2, 7), (14, 4, 10)])
    yield {"step": 5, "peak": 20.0, "warmup_steps": 3, "steps": 8}
    for most in (5, 60, 60, 2000):
        w, rest = whole(rng, 0, most), whole(rng, 3, most)
        for step in (w, w + whole(rng, 1, rest - 1), w + rest - 1, w + rest + whole(rng, 0, rest)):
            yield from rates(rng, [(step, w, w + rest)])


def call_rate(student, inputs):
    return {"rate": student.learning_rate(**inputs)}


def learning_rate(step, peak, warmup_steps, steps):
    n, left = step + 1, steps - warmup_steps
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    return peak * (0.55 + 0.45 * math.cos(math.pi * (n - warmup_steps) / left))


def models(rng, checkpoints=(False,), shards=(1,)):
    sizes = [(1, 4, 16, 3, 2, 5), (1, 1, 1, 1, 1, 1), (3, 8, 8, 2, 5, 7), (2, 6, 11, 4, 3, 130)]
    sizes += [tuple(whole(rng, 1, most) for most in (9, 40, 90, 12, 30, 400)) for _ in range(4)]
    for one in sizes:
        named = dict(zip(("texts", "d", "m", "L", "p", "V"), one))
        for kept in checkpoints:
            yield {**named, "checkpoints": kept, "shards": shards[whole(rng, 0, len(shards))]}


def plain(rng):
    yield from models(rng)


def checkpointed(rng):
    yield from models(rng, checkpoints=(True,))


def sharded(rng):
    yield from models(rng, checkpoints=(False, True), shards=(2, 3, 4, 8, 100))


def call_states(student, inputs):
    lines = student.training_bytes(**inputs)
    return {name: lines[name] for name in ("weights", "gradients", "moments", "bf16 copies")}


def call_activations(student, inputs):
    lines = student.training_bytes(**inputs)
    return {name: lines[name] for name in ("activations", "logits")}


def call_checkpoints(student, inputs):
    return {"activations": student.training_bytes(**inputs)["activations"]}


def call_lines(student, inputs):
    lines = student.training_bytes(**inputs)
    names = ("weights", "gradients", "moments", "bf16 copies", "activations", "logits")
    return {name: lines[name] for name in names}


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d * d + 2 * d * m)
    parameters = matrices + (V + p) * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    per_block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + per_block if checkpoints else L * per_block,
        "logits": 8 * tokens * V,
    }


EXACT = {"rtol": 1e-7, "atol": 1e-12}
QUESTION = Question(
    id="15.6",
    title="Plan a run",
    kind="implement",
    difficulty=2,
    minutes=25,
    reference={"learning_rate": learning_rate, "training_bytes": training_bytes},
    exempt={
        "training_bytes: remembers by shape": "it is a function of whole numbers alone",
    },
    clauses={
        "down to a tenth of its peak": ("decay", "to_zero"),
        "With steps counted from 0": "first_rate_zero loses both parts of the rate",
        "and it may be $T$ or more": ("decay", "rises_again"),
        "The first line that holds": ("warm-up", "late_warmup"),
        "With $w = 4$ and $T = 10$": "they are cases of the first two parts",
        "need not be $4d$": "inner_width_four loses all parts with activations",
        "the chapter's bill": "the numbers of the parts follow it",
        "For one text with $d = 4$": "it is a case of the four parts of memory",
        "Where `shards` does not divide": ("shards", "rounded_down"),
        "a whole number from 0 on": "the first step and no warm-up are cases",
        "a number above 0": "it says what is not asked for",
        "at least 1": "a run of one step and a model of ones are cases",
        "whole numbers, at least 1": "a model of ones is a case of every part",
        "True if only the inputs": "checkpoints_ignored loses the part of the shards as well",
        "half a cosine": ("decay", "whole_wave"),
    },
    parts=[
        Part(
            "warm-up",
            1,
            "the rate rises in a line and reaches its peak at the last step of the warm-up",
            call_rate,
            inputs=rising,
            **EXACT,
            hints=(
                "With 4 steps of warm-up, what are the rates at the steps 0, 1, 2 and 3?",
                "Steps are counted from 0, but the share of the warm-up is (step + 1) of its steps.",
                "A warm-up may be longer than the run; the first line of the formula that holds counts.",
            ),
        ),
        Part(
            "decay",
            1,
            "after the warm-up the rate falls to a tenth of its peak and stays there",
            call_rate,
            inputs=falling,
            **EXACT,
            hints=(
                "Work out three rates by hand: the first after the warm-up, the one halfway, and the last.",
                "The cosine runs from 0 to pi over the steps that are left after the warm-up.",
                "The lowest rate is a tenth of the peak: scale the curve, and do not cut it off.",
                "What does a cosine do after pi? What is divided by where no step is left?",
            ),
        ),
        Part(
            "states",
            1,
            "weights, gradients, moments and copies of one worker that holds everything",
            call_states,
            inputs=plain,
            **EXACT,
            hints=(
                "Count the parameters of the model in the example. Do you get 660?",
                "A block has four matrices of d by d and two of d by m; the head is the table of embeddings.",
                "Each of the 2 L + 1 norms has a gain and a bias of width d.",
                "bf16 copies are made of the blocks' matrices only, with two bytes for each number.",
            ),
        ),
        Part(
            "activations",
            1,
            "activations and logits where everything is kept",
            call_activations,
            inputs=plain,
            **EXACT,
            hints=(
                "How many bytes does one token need in one block? In the example they are 144.",
                "Of the norms' numbers half are inputs, with four bytes; all others have two bytes.",
                "The network keeps its inner layer twice, before and after GELU, and its width is m.",
                "The loss needs the logits and their gradient.",
            ),
        ),
        Part(
            "checkpoints",
            1,
            "activations where only the inputs of blocks are kept",
            call_checkpoints,
            inputs=checkpointed,
            **EXACT,
            hints=(
                "For the example of the text, with three blocks: which numbers are there while the "
                "second is run again?",
                "What is kept from the forward pass, and what is there while one block is run again?",
                "The input of every block, in float32, and all the activations of a single block.",
            ),
        ),
        Part(
            "shards",
            1,
            "what each of several workers holds",
            call_lines,
            inputs=sharded,
            **EXACT,
            hints=(
                "With two workers, which of the six lines are halved, which stay, and which are "
                "those of one block?",
                "Which lines are about the model, and which about the texts that this worker reads?",
                "Workers share weights, gradients and moments, and gather the copies of one block at a time.",
            ),
        ),
    ],
)
