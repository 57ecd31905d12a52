"""Question 03.5: What the bound leaves out."""

import math

import numpy as np
from autograder.authoring import Part, Question, sizes


def small_models(rng):
    """Ordinary ones, such whose logarithms are in the minus thousands or near zero, and one of many codes."""
    shapes = [(*shape, 1.0) for shape in sizes(rng, size=5, d=5, n=4, far={"n": 100})]
    shapes += [(4, 8, 3, 1.0), (3, 2, 3, 1500.0), (2, 4, 1, 3000.0), (2, 3, 2, 5e-4), (18, 2, 2, 1.0)]
    for size, d, n, scale in shapes:
        scores = rng.standard_normal((size, size)) * scale
        logits = rng.standard_normal((size, d)) * scale
        x = rng.integers(0, 2, (n, 2, d)).astype(float)
        codes = rng.integers(0, size, (n, 2))
        if scale > 100:
            # whatever the codes, the first pixels of image 0 cost 2000 nats, and those of image 1 differ
            logits[:, 0] = -1000 - np.abs(logits[:, 0])
            x[1:2] = x[0]
            x[0, :, 0], x[1:2, :, 0] = 1, 0
        if scale < 1:  # codes that are nearly certain
            scores[0, 0] = 9
            codes[:] = 0
        top = scores.max()
        case = {
            "log_prior": scores - top - np.log(np.exp(scores - top).sum()),
            "logits": logits,
            "x": x,
            "codes": codes,
        }
        if size > 16:  # each code stands for several
            case |= {"copies": 16, "codes": codes + 15 * size}
        yield case


def call_measure(student, inputs):
    log_prior, logits, copies = inputs["log_prior"], inputs["logits"], inputs.get("copies", 1)
    if copies > 1:
        log_prior = np.tile(log_prior, (copies, copies)) - 2 * np.log(copies)
        logits = np.concatenate([logits + 0.1 * number for number in range(copies)])
    return dict(student.measure(log_prior, logits, inputs["x"], inputs["codes"]))


def measure(log_prior, logits, x, codes):
    size = len(log_prior)
    distortion = rate = exact = 0.0
    for image, chosen in zip(x, codes.tolist()):
        given = np.zeros((2, size))
        for half in range(2):
            for a in range(size):
                sides = np.where(image[half] > 0.5, logits[a], -logits[a])
                given[half, a] = (np.minimum(sides, 0) - np.log1p(np.exp(-np.abs(sides)))).sum()
        terms = log_prior + given[0][:, None] + given[1]
        distortion -= given[0, chosen[0]] + given[1, chosen[1]]
        rate -= log_prior[chosen[0], chosen[1]]
        exact -= terms.max() + math.log(np.exp(terms - terms.max()).sum())
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


QUESTION = Question(
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
    exempt={
        "x below a thousandth is 0": "pixels are zeros and ones",
        "x clipped at 10": "pixels are zeros and ones",
    },
    clauses={
        "may be in the minus thousands": "two models of each part have such numbers",
        "where p is the probability": "it explains the logits",
    },
    parts=[
        Part(
            "distortion",
            2,
            "on small models: what the pixels cost, given the encoder's codes",
            call_measure,
            inputs=small_models,
            rtol=1e-5,
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
            rtol=1e-5,
            compare=("rate", "bound"),
            hints=(
                "The prior's row is the upper code, its column the lower one.",
                "The rate is a cost, -log p, averaged over the images. The bound adds the distortion.",
                "The bound is the sum of the two, so it is wrong where the distortion is.",
            ),
        ),
        Part(
            "exact",
            3,
            "on small models: what the images cost when all pairs of codes are summed over",
            call_measure,
            inputs=small_models,
            rtol=1e-5,
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
)
