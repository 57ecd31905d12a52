"""Question 05.1: What the decoder reads, and what it must write."""

import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import whole


def batches_of_sentences(rng):
    """Words have all numbers from 0 to 8, or to 300, those of SOS, EOS and the padding included."""
    drawn = [
        tuple(rng.integers(0, longest + 1, batch)) for batch, longest in sizes(rng, batch=4, longest=(0, 5))
    ]
    fixed = [(3, 1, 0, 5), (2,), (4, 4), (0, 0), (1, 6, 3), (0,), (1, 105), (2, 0, 4)]
    for lengths in (*fixed, *drawn):
        most = 300 if lengths == fixed[-1] else 9
        special = rng.choice(most, 3, replace=False) if len(lengths) > 1 else [whole(rng, 0, 9)] * 3
        if most > 9:
            special = 256 + rng.permutation(40)[:3]
        numbers = dict(zip(("sos", "eos", "pad"), (int(n) for n in special)))
        words = [rng.integers(0, most, n).tolist() for n in lengths]
        for sentence in words:
            if len(sentence) > 2:
                sentence[-2:] = (numbers["eos"], numbers["pad"])
        if most > 9:
            words[0] = [257, 299]
        yield {"sentences": words, **numbers}
    yield {"sentences": [[1]] * 104, "sos": 1, "eos": 2, "pad": 0}
    yield {"sentences": [[5, 6], []], "sos": 1, "eos": 2, "pad": 0}


def give_inputs(student, inputs):
    inputs = student.decoder_batch(**inputs)[0]
    # an embedding and a loss take whole numbers only
    return {"inputs": inputs, "floating point": torch.as_tensor(inputs).is_floating_point()}


def give_targets(student, inputs):
    targets = student.decoder_batch(**inputs)[1]
    # an embedding and a loss take whole numbers only
    return {"targets": targets, "floating point": torch.as_tensor(targets).is_floating_point()}


def give_real(student, inputs):
    return {"real": student.decoder_batch(**inputs)[2]}


def decoder_batch(sentences, sos, eos, pad):
    rows = [[], [], []]
    time = 1 + max(len(sentence) for sentence in sentences)
    for sentence in sentences:
        rest = time - len(sentence) - 1
        rows[0].append([sos, *sentence, *[pad] * rest])
        rows[1].append([*sentence, eos, *[pad] * rest])
        rows[2].append([True] * (len(sentence) + 1) + [False] * rest)
    return tuple(torch.tensor(part) for part in rows)


QUESTION = Question(
    id="05.1",
    title="What the decoder reads, and what it must write",
    kind="implement",
    difficulty=1,
    minutes=15,
    reference={"decoder_batch": decoder_batch},
    clauses={
        "one word behind": "says what follows",
        "a sentence of $n$ words has $n + 1$ inputs": "eos_closes_inputs and no_eos lose all parts",
        "where a row has a target to learn": ("real", "all_real"),
        "may be equal to one another": ("real", "search"),
        "and a word may have any of these": ("real", "until_eos"),
        "all numbers are 0 or more": "no case has less; numbers above 255 are a case of each part",
        "A sentence may be empty": "empty_skipped loses all parts",
        "never in the inputs": ("inputs", "eos_read"),
        "with SOS 1, EOS 2 and padding 0": "an example, which is a case of each part",
        "at least one list of whole numbers": "one list is a case of each part",
        "sos, eos, pad: whole numbers": "eight_bits loses inputs and targets",
        "is 1 more than the number": "eos_closes_inputs and no_eos lose all parts",
        "and where it has to": ("real", "all_real"),
    },
    parts=[
        Part(
            "inputs",
            2,
            "SOS, then the words",
            give_inputs,
            inputs=batches_of_sentences,
            hints=(
                "Write the inputs of the sentences (5, 6) and (7) by hand. How many columns are there?",
                "Do the inputs of a short sentence hold EOS? Nothing follows EOS, so nobody reads it.",
                "A row of n words has n + 1 inputs, and behind them the number of the padding.",
            ),
        ),
        Part(
            "targets",
            1,
            "the words, then EOS",
            give_targets,
            inputs=batches_of_sentences,
            hints=(
                "The target of an input is the word that comes next. What comes after the last word?",
                "EOS stands once in each row, right behind the last word, and padding behind EOS.",
            ),
        ),
        Part(
            "real",
            1,
            "where there is something to learn",
            give_real,
            inputs=batches_of_sentences,
            hints=(
                "Can a word or EOS have the number of the padding? What do you compare?",
                "A row of n words has n + 1 targets: EOS is one, and the model has to learn to stop.",
                "Compare the number of the column with the number of targets of the row.",
            ),
        ),
    ],
)
