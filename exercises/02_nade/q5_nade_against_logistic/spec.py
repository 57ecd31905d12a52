"""Question 02.5: NADE against logistic regressions."""

import math

import torch
from autograder.authoring import Part, Question, sizes


def made_up_images(rng):
    """Log-probabilities of images of a few pixels, and of so many that exp of them is zero; with ties.

    In the first case NADE is better than the independent pixels on all images, in the second nowhere worse
    than the regressions.
    """
    shapes = [(images, n_pixels, 4.0) for images, n_pixels in sizes(rng, images=9, n_pixels=12)]
    shapes += [(1, 100, 60.0), (int(rng.integers(8, 13)), 2000, 800.0), (400, 64, 15.0), (5, 9, 0.0)]
    for number, (images, n_pixels, level) in enumerate(shapes):
        rows = -torch.from_numpy(rng.uniform(level, level + 3, (3, images)))
        if not level:
            rows *= 1e-4
        rows[number % 3] -= rng.uniform(0.5, 1.0) * max(level, 1e-4)
        if number == 0:
            rows[0] -= 10
        if number == 1:
            rows[2] = rows[1] + torch.from_numpy(rng.uniform(0.1, 1.0, images))
        if images > 1:
            rows[2, -2:] = rows[1, -2:] + torch.tensor([0.0, 0.5])
        named = dict(zip(("independent", "regression", "nade"), rows, strict=True))
        yield {**named, "n_pixels": n_pixels}


def call_measure(student, inputs):
    names = ("independent", "regression", "nade", "n_pixels")
    return dict(student.measure(*(inputs[name] for name in names)))


def measure(independent, regression, nade, n_pixels):
    losses = {"independent": independent, "regression": regression, "nade": nade}
    found = {name: -math.fsum(log_probs.tolist()) / len(log_probs) for name, log_probs in losses.items()}
    return {
        **found,
        "gain": found["regression"] - found["nade"],
        "bits": found["nade"] / math.log(2) / n_pixels,
        "wins": sum(a > b for a, b in zip(nade.tolist(), regression.tolist())) / len(nade),
    }


def give_reported_losses(student, inputs):
    return {name: student.report[name] for name in ("independent", "regression", "nade")}


def give_reported_comparison(student, inputs):
    return {name: student.report[name] for name in ("gain", "bits", "wins")}


QUESTION = Question(
    id="02.5",
    title="NADE against logistic regressions",
    kind="experiment",
    difficulty=3,
    minutes=30,
    reference={
        "measure": measure,
        "report": {
            "independent": 25.217354,
            "regression": 18.539444,
            "nade": 18.073141,
            "gain": 0.466303,
            "bits": 0.407406,
            "wins": 0.6275,
        },
    },
    clauses={
        "which has 30 hidden units": "the report is of this run",
        "numbers count if `measure` is right": "the reported parts require those on made-up images",
        "to four decimals or more": "the precision in which reports are compared",
        "its loss is 17.99 on average": "a remark on other seeds, which are not graded",
    },
    parts=[
        Part(
            "losses",
            2,
            "on made-up log-probabilities: the three mean losses",
            call_measure,
            inputs=made_up_images,
            compare=("independent", "regression", "nade"),
            hints=(
                "log_prob gives one number per image, in nats. Is a loss positive or negative?",
                "A loss in nats per image is minus the mean over the images, whatever their number.",
            ),
        ),
        Part(
            "gain and bits",
            2,
            "on made-up log-probabilities: gain and bits",
            call_measure,
            inputs=made_up_images,
            rtol=1e-3,
            compare=("gain", "bits"),
            hints=(
                "gain is a difference of two of your losses. Is it positive when NADE is better?",
                "Bits are nats divided by ln 2, and bits per dimension divide by the number of pixels "
                "as well.",
                "Do the log-probabilities come from images of 64 pixels here? n_pixels says it.",
            ),
        ),
        Part(
            "wins",
            2,
            "on made-up log-probabilities: the fraction of images on which NADE is better",
            call_measure,
            inputs=made_up_images,
            compare=("wins",),
            hints=(
                "Compare the two models image by image: which gives the higher log-probability?",
                "Compare the logarithms: exp(-800) is zero. Images on which both are equal are no wins.",
                "A fraction is a number from 0 to 1: divide by the number of images.",
            ),
        ),
        Part(
            "reported losses",
            1,
            "your run: the three test losses, and `losses` above",
            give_reported_losses,
            conceal=True,
            digits=5,
            requires=("losses",),
            hints=(
                "Train on train, choose the step on valid, report on test: `train_and_test` does all "
                "three. Its answers are what `measure` takes.",
                "TiedBinaryNADE has 64 pixels and 30 hidden units, a learning rate of 0.03, and the "
                "generator of the text; BernoulliPixels is fitted to train.",
                "Make a new model before you train again: a model that was trained goes on from "
                "where it stopped.",
            ),
        ),
        Part(
            "reported comparison",
            1,
            "your run: gain, bits and wins, and `gain and bits` and `wins` above",
            give_reported_comparison,
            conceal=True,
            digits=3,
            requires=("gain and bits", "wins"),
            hints=(
                "Do the reported numbers come from the same call of `measure` as the losses?",
                "The digits have 64 pixels, and there are 400 test images.",
            ),
        ),
    ],
)
