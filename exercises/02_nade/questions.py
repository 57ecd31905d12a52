"""Exercises of chapter 2: the slides' NADE, its sampler, its cost, a leak, and a comparison in nats."""

import torch
from autograder.authoring import Interval, Part, Question, normal


def tokens_of(rng, vocab, *shape):
    return torch.from_numpy(rng.integers(0, vocab, shape))


def parameters(rng, p, k, d):
    return {
        "V": normal(rng, p, k, d),
        "c": normal(rng, p, k),
        "W": normal(rng, p, d, k),
        "b": normal(rng, p, d),
    }


def first_positions(rng):
    for batch, p, k, d in [(3, 4, 3, 2), (1, 2, 5, 4)]:
        yield {"tokens": tokens_of(rng, d, batch, 1), **parameters(rng, p, k, d)}


def whole_sequences(rng):
    for batch, p, k, d in [(4, 6, 3, 2), (2, 4, 2, 5), (1, 5, 4, 3)]:
        yield {"tokens": tokens_of(rng, d, batch, p), **parameters(rng, p, k, d)}


def short_sequences(rng):
    for batch, time, p, k, d in [(3, 4, 7, 3, 2), (1, 2, 5, 2, 4)]:
        yield {"tokens": tokens_of(rng, d, batch, time), **parameters(rng, p, k, d)}


def call_scores(student, inputs):
    names = ("tokens", "V", "c", "W", "b")
    return {"scores": student.nade_scores(*(inputs[name] for name in names))}


def nade_scores(tokens, V, c, W, b):
    V, c, W, b = V.double(), c.double(), W.double(), b.double()
    scores = torch.zeros(*tokens.shape, b.shape[1], dtype=torch.float64)
    for n, row in enumerate(tokens.tolist()):
        total = torch.zeros(b.shape[1], dtype=torch.float64)
        for t in range(len(row)):
            seen = c[t] + sum((V[s, :, row[s]] for s in range(t)), torch.zeros_like(c[t]))
            total = total + W[t] @ torch.sigmoid(seen)
            scores[n, t] = b[t] + total
    return scores


def first_steps(rng):
    for p, k, d in [(3, 4, 2), (1, 2, 5)]:
        yield {
            "t": 0,
            "token": None,
            "read": torch.zeros(k),
            "written": torch.zeros(d),
            **parameters(rng, p, k, d),
        }


def later_steps(rng):
    """The token 0, which is not no token, and others."""
    for p, k, d, t, is_zero in [(5, 4, 2, 3, False), (4, 2, 5, 1, True), (6, 3, 3, 5, False)]:
        yield {
            "t": t,
            "token": 0 if is_zero else int(rng.integers(1, d)),
            "read": normal(rng, k),
            "written": normal(rng, d),
            **parameters(rng, p, k, d),
        }


def call_step(student, inputs):
    names = ("t", "token", "read", "written", "V", "c", "W", "b")
    probabilities, read, written = student.sampling_step(*(inputs[name] for name in names))
    return {"probabilities": probabilities, "read": read, "written": written}


def sampling_step(t, token, read, written, V, c, W, b):
    read, written = read.double(), written.double()
    if token is not None:
        read = read + V.double()[t - 1, :, token]
    written = written + W.double()[t] @ torch.sigmoid(c.double()[t] + read)
    return torch.softmax(b.double()[t] + written, 0), read, written


def binary(rng, shapes):
    for batch, time, k in shapes:
        yield {
            "x": tokens_of(rng, 2, batch, time),
            "W": normal(rng, time, k),
            "c": normal(rng, k),
            "V": normal(rng, time, k),
            "b": normal(rng, time),
        }


def binary_without_bias(rng):
    for case in binary(rng, [(4, 6, 3), (2, 3, 5)]):
        case["x"][:, 0] = 1
        yield {**case, "c": torch.zeros_like(case["c"])}


def binary_blank(rng):
    for case in binary(rng, [(2, 5, 3), (1, 4, 2)]):
        yield {**case, "x": torch.zeros_like(case["x"])}


def call_log_odds(student, inputs):
    return {"log_odds": student.log_odds(*(inputs[name] for name in ("x", "W", "c", "V", "b")))}


def log_odds(x, W, c, V, b):
    W, c, V, b = W.double(), c.double(), V.double(), b.double()
    rows = []
    for row in x.tolist():
        read, values = c.clone(), []
        for t, token in enumerate(row):
            values.append(b[t] + V[t] @ torch.sigmoid(read))
            read = read + token * W[t]
        rows.append(torch.stack(values))
    return torch.stack(rows)


def give_losses(student, inputs):
    return {
        "independent": float(student.independent),
        "regression": float(student.regression),
        "nade": float(student.nade),
    }


def measured_losses(inputs):
    return {
        "independent": Interval(25.21, 25.23),
        "regression": Interval(18.44, 18.64),
        "nade": Interval(17.7, 18.3),
    }


def give_all(student, inputs):
    names = ("regression", "nade", "gain", "bits", "wins")
    return {name: float(getattr(student, name)) for name in names}


def differences_agree(inputs, outputs):
    if abs(outputs["regression"] - outputs["nade"] - outputs["gain"]) > 2e-3:
        return "gain is not the loss of the regressions minus that of NADE"
    if abs(outputs["nade"] / (64 * math.log(2)) - outputs["bits"]) > 1e-3:
        return "bits is not the loss of NADE in bits for each of the 64 pixels"


def give_wins(student, inputs):
    return {"wins": float(student.wins)}


def measured_wins(inputs):
    return {"wins": Interval(0.56, 0.70)}


def whole_images(inputs, outputs):
    if abs(outputs["wins"] * 400 - round(float(outputs["wins"]) * 400)) > 0.25:
        return "no fraction of 400 images equals wins to four decimals"


P, K, D = 100, 20, 5

QUESTIONS = [
    Question(
        id="02.1",
        title="The slides' NADE",
        kind="implement",
        difficulty=3,
        minutes=25,
        hint=(
            "Start with t = 1: the sum over V is empty, the sum over W has one term. Then ask what "
            "changes from t to t + 1."
        ),
        reference={"nade_scores": nade_scores},
        parts=[
            Part(
                "first",
                1,
                "the first scores, which read nothing",
                call_scores,
                inputs=first_positions,
            ),
            Part("values", 3, "the scores of whole sequences", call_scores, inputs=whole_sequences),
            Part("short", 1, "sequences shorter than p", call_scores, inputs=short_sequences),
        ],
    ),
    Question(
        id="02.2",
        title="One step of the sampler",
        kind="implement",
        difficulty=3,
        minutes=20,
        hint=(
            "The token was drawn at position t - 1, so its column stands in V[t - 1]. Which of the two "
            "sums feeds h_t, and which does h_t feed?"
        ),
        reference={"sampling_step": sampling_step},
        parts=[
            Part("first", 1, "the first step, without a token", call_step, inputs=first_steps),
            Part("later", 3, "a later step, from a state that is given", call_step, inputs=later_steps),
        ],
    ),
    Question(
        id="02.3",
        title="What it costs",
        kind="derive",
        difficulty=2,
        minutes=20,
        hint=(
            "Sum t - 1 matrices of V and t matrices of W over all t. With running sums, how often is "
            "each matrix used?"
        ),
        reference={
            "parameters": 2 * P * K * D + P * K + P * D,
            "naive": P * P * K * D,
            "shared": (2 * P - 1) * K * D,
            "indexed": P * K * D,
        },
        parts=[
            Part("parameters", 1, "the number of parameters", reads=("parameters",)),
            Part("naive", 2, "multiplications of the equations as they stand", reads=("naive",)),
            Part("shared", 1, "multiplications with running sums", reads=("shared",)),
            Part("indexed", 1, "multiplications with running sums and indices", reads=("indexed",)),
        ],
    ),
    Question(
        id="02.4",
        title="Repair a NADE that is too good",
        kind="repair",
        difficulty=3,
        minutes=20,
        hint="At t, how many terms has the sum over s < t, and how often should c be added?",
        reference={"log_odds": log_odds},
        parts=[
            Part(
                "history",
                2,
                "each position reads the tokens before it, and no other (c is zero here)",
                call_log_odds,
                inputs=binary_without_bias,
            ),
            Part("bias", 2, "blank images, where only the biases count", call_log_odds, inputs=binary_blank),
        ],
    ),
    Question(
        id="02.5",
        title="NADE against logistic regressions",
        kind="experiment",
        difficulty=3,
        minutes=30,
        hint=(
            "log_prob gives one number for each image, in nats: average over the images. Bits are nats "
            "divided by ln 2, and an image has 64 pixels."
        ),
        reference={
            "independent": 25.2174,
            "regression": 18.5394,
            "nade": 18.0731,
            "gain": 0.4663,
            "bits": 0.4074,
            "wins": 0.6275,
        },
        parts=[
            Part("losses", 2, "the three test losses", give_losses, expected=measured_losses),
            Part(
                "consistency",
                2,
                "gain and bits follow from the losses",
                give_all,
                compare=(),
                properties=(differences_agree,),
            ),
            Part(
                "wins",
                1,
                "the fraction of images on which NADE is better",
                give_wins,
                expected=measured_wins,
                properties=(whole_images,),
            ),
        ],
    ),
]
