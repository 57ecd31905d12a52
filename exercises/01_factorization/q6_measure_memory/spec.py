"""Question 01.6: Measure a memory."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import tokens_of


def small_texts(rng):
    """Texts with an end token 0, and how far each order of a made-up model falls short of the best one.

    There is a story of nothing but its end, a text of more than a hundred tokens, tokens beyond 255, and
    losses of a thousandth of a nat, and models that are better than the source.
    """
    shapes = [
        (n_train, n_stories, vocab, 1.0)
        for n_train, n_stories, vocab in sizes(rng, train=60, stories=6, vocab=(2, 9))
    ]
    shapes += [(30, 40, 6, 1.0), (30, 4, 290, 1.0), (30, 3, 6, 1e-3), (20, 0, 4, 1.0)]
    for number, (n_train, n_stories, vocab, scale) in enumerate(shapes):
        best = (2, 1, 3, 4, 0)[number % 5]
        levels = 1.0 + 0.15 * np.abs(np.arange(5) - best) + rng.uniform(0.0, 0.1, 5) * (np.arange(5) != best)
        if best == 4:  # a higher order may be better after one that is worse
            levels[0] = levels[2]
        lengths = rng.integers(2, 6, n_stories) if n_stories else np.zeros(1, dtype=int)
        test = [token for n in lengths for token in (*rng.integers(1, vocab, n).tolist(), 0)]
        train = tokens_of(rng, vocab, n_train)
        if vocab > 255:
            train[:5] = test[0] = vocab - 1
        yield {
            "train": train,
            "test": torch.tensor([test]),
            "story_log_probs": (
                -scale * (10.0 if number == 3 else 1.0) * rng.uniform(1.0, 3.0, len(lengths)) * (lengths + 1)
            ).tolist(),
            "levels": (scale * levels).tolist(),
        }


def call_measure(student, inputs):
    """The models count single tokens; a level for each order makes them better or worse."""

    class Model:
        def __init__(self, order, text):
            counts = 1.0 + torch.bincount(torch.as_tensor(text).reshape(-1), minlength=300).double()
            self.log_probs = inputs["levels"][order - 1] * (counts / counts.sum()).log()

        def conditional_log_probs(self, x):
            return self.log_probs[x]

    names = ("train", "test", "story_log_probs")
    return dict(student.measure(Model, *(inputs[name] for name in names)))


def call_differences(student, inputs):
    """The differences, beside the student's own losses; other models must give other losses."""

    class Model:
        def __init__(self, order, text):
            counts = 1.0 + torch.bincount(torch.as_tensor(text).reshape(-1), minlength=300).double()
            self.log_probs = levels[order - 1] * (counts / counts.sum()).log()

        def conditional_log_probs(self, x):
            return self.log_probs[x]

    arguments = [inputs[name] for name in ("train", "test", "story_log_probs")]
    levels = [2 * level for level in inputs["levels"]]
    other = torch.as_tensor(student.measure(Model, *arguments)["losses"])
    levels = inputs["levels"]
    found = student.measure(Model, *arguments)
    losses, gained = (torch.as_tensor(found[name]).double() for name in ("losses", "gained"))
    return {
        "losses depend on the models": bool((other != losses).any()),
        "losses": losses,
        "source": found["source"],
        "gained": gained,
        "excess": found["excess"],
    }


def differences_agree(inputs, outputs):
    """The student's own losses: what is wrong with these does not matter."""
    losses, gained = outputs["losses"], outputs["gained"]
    if losses.shape != (5,) or gained.shape != (4,):
        return "losses needs five numbers and gained four"
    for n in range(4):
        if not abs(losses[n] - losses[n + 1] - gained[n]) <= 1e-3 * abs(losses[n] - losses[n + 1]):
            return f"gained[{n}] is not the loss of order {n + 1} minus the loss of order {n + 2}"
    excess = min(losses) - outputs["source"]
    if not abs(excess - outputs["excess"]) <= 1e-3 * abs(excess) + 1e-6:
        return "excess is not the least of the losses minus the source's"
    return None


def measure(fit, train, test, story_log_probs):
    models = [fit(order, train) for order in range(1, 6)]
    losses = [-float(model.conditional_log_probs(test).double().mean()) for model in models]
    source = -math.fsum(story_log_probs) / test.shape[1]
    gained = [losses[n] - losses[n + 1] for n in range(4)]
    return {"losses": losses, "source": source, "gained": gained, "excess": min(losses) - source}


def give_reported_losses(student, inputs):
    losses = student.report["losses"]
    return {"losses": ... if any(loss is ... for loss in losses) else losses}


def give_reported_source(student, inputs):
    return {name: student.report[name] for name in ("source", "excess")}


QUESTION = Question(
    id="01.6",
    title="Measure a memory",
    kind="experiment",
    difficulty=3,
    minutes=25,
    reference={
        "measure": measure,
        "report": {
            "losses": [4.637563, 1.998272, 1.497975, 1.401089, 1.405213],
            "source": 0.899971,
            "excess": 0.501119,
        },
    },
    exempt={
        "several in the batch, of one": "the stories stand in one row",
        "a billionth in a logarithm": "log-probabilities are given; the models take the logarithms",
    },
    clauses={
        "They count if `measure` is right": "the reported parts require those on small texts",
        "to four decimals or more": "the precision in which reports are compared",
    },
    parts=[
        Part(
            "losses",
            2,
            "on small texts: the test loss of each order",
            call_measure,
            inputs=small_texts,
            compare=("losses",),
            hints=(
                (
                    "Take the first order that is wrong: on which text is its model counted, which "
                    "numbers does its loss average, and how many are they?"
                ),
                "conditional_log_probs gives one number per token. A loss per token is their mean, with "
                "which sign?",
                "range(1, 6) gives the orders 1 to 5.",
            ),
        ),
        Part(
            "source",
            1,
            "on small texts: the source's loss per token",
            call_measure,
            inputs=small_texts,
            compare=("source",),
            hints=(
                "Each number of story_log_probs belongs to a whole story. Add them up first.",
                "Divide by the number of test tokens, end tokens included, as for the models: stories "
                "of different lengths count for what they hold.",
            ),
        ),
        Part(
            "differences",
            1,
            "on small texts: gains and excess follow from your losses",
            call_differences,
            inputs=small_texts,
            compare=("losses depend on the models",),
            properties=(differences_agree,),
            hints=(
                (
                    "Compute by hand, from the losses and the source that you return, the number that is "
                    "said to be wrong. Which losses belong in it, and in which order?"
                ),
                "Which order has the least loss? It need not be the highest. excess is that loss minus "
                "the source's.",
            ),
        ),
        Part(
            "reported losses",
            1,
            "your run: the five losses on the tales, and `losses` above",
            give_reported_losses,
            conceal=True,
            digits=5,
            requires=("losses",),
            hints=(
                "Print report in the cell in which you ran `measure`, and compare it with what stands "
                "in the answer. Are all digits there?",
                "The tales of the cell above are drawn with seed 1, and that cell prints the loss of "
                "order 1.",
                "fit(order, text) should return KneserNey(order, vocab_size).fit(text).",
            ),
        ),
        Part(
            "reported source",
            1,
            "your run: the source's loss and the excess, and `source` and `differences` above",
            give_reported_source,
            conceal=True,
            digits=4,
            requires=("source", "differences"),
            hints=(
                "story_log_probs needs one number for each story of tales.test, and of no other.",
                "TALES.log_prob gives the log-probability of a whole story with its end, in nats.",
            ),
        ),
    ],
)
