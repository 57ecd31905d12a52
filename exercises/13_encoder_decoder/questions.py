"""Exercises of chapter 13: shifted targets, rates and sizes, Adam, its first steps, a batch translated."""

import numpy as np
import torch
from autograder.authoring import Part, Question


def whole(rng, low, high):
    return int(rng.integers(low, high))


def targets_of(rng, lengths):
    """Tokens from 2 to 99."""
    return [rng.integers(2, 100, n).tolist() for n in lengths]


def equal_lengths(rng):
    for lengths in [(3, 3), (1,), (4, 4, 4), (whole(rng, 2, 6),) * 2]:
        yield {"targets": targets_of(rng, lengths), "start": 0, "end": 1, "ignored": -100}


def mixed_lengths(rng):
    for lengths in [(3, 5), (4, 1, 2), (2, 6, 3, 6), (1, 110), (whole(rng, 2, 6), 7)]:
        yield {"targets": targets_of(rng, lengths), "start": 0, "end": 1, "ignored": -100}
    # the number for what the loss leaves out may be that of a token, the start or the end token included
    for start, end, ignored in [(1, 0, -1), (0, 0, -100), (101, 102, -7), (1, 2, 0), (0, 1, 0), (3, 1, 1)]:
        lengths = rng.permutation(5)[:3] + 1
        yield {"targets": targets_of(rng, lengths), "start": start, "end": end, "ignored": ignored}
    targets = targets_of(rng, (3, 1, 5))
    yield {"targets": targets, "start": 0, "end": 1, "ignored": targets[0][1]}
    # 0 and 1 may be words like any other
    targets = [[*rng.integers(0, 3, n).tolist(), 0] for n in rng.permutation(4)[:3]]
    yield {"targets": targets, "start": 101, "end": 102, "ignored": -7}
    # so may the start and the end, first, last and within
    for start, end in [(0, 1), (7, 5), (3, 3)]:
        words = targets_of(rng, rng.permutation(4) + 1)
        targets = [[start, *words[0]], [*words[1], end], [*words[2], end, *words[3]], [end, *words[3], start]]
        yield {
            "targets": [targets[i] for i in rng.permutation(4)],
            "start": start,
            "end": end,
            "ignored": -100,
        }


def with_empty(rng):
    for lengths in [(0, 3), (0,), (2, 0, 0, 4), (0, 0)]:
        yield {"targets": targets_of(rng, lengths), "start": 0, "end": 1, "ignored": -100}


def call_shift(student, inputs):
    read, write = student.shift(**inputs)
    for name, tokens in (("read", read), ("written", write)):
        given = torch.as_tensor(tokens).dtype  # a list of whole numbers has this kind too
        if given != torch.int64:
            raise ValueError(f"what is {name} should be a long tensor; its dtype is {given}")
    return {"read": read, "write": write}


def shift(targets, start, end, ignored):
    time = 1 + max(map(len, targets))
    read = [[start, *t] + [end] * (time - 1 - len(t)) for t in targets]
    write = [[*t, end] + [ignored] * (time - 1 - len(t)) for t in targets]
    return torch.tensor(read), torch.tensor(write)


def paths(rng, kinds):
    """Gradients, rates and constants; a constant of 0 leaves out what belongs to it."""
    for steps, size, beta_1, beta_2, eps in kinds:
        scale = 10.0 ** rng.uniform(-2, 1, size)
        yield {
            "gradients": rng.standard_normal((steps, size)) * scale,
            "rates": rng.uniform(0.1, 1.0, steps),
            "beta_1": beta_1,
            "beta_2": beta_2,
            "eps": eps,
        }


def without_memory(rng):
    yield from paths(
        rng, [(4, 3, 0.0, 0.0, 0.5), (1, 2, 0.0, 0.0, 0.1), (6, 1, 0.0, 0.0, 2.0), (3, 102, 0.0, 0.0, 0.7)]
    )


def one_step(rng):
    yield from paths(rng, [(1, 3, 0.9, 0.98, 0.0), (1, 5, 0.8, 0.98, 0.0), (1, 1, 0.5, 0.7, 0.0)])


def no_epsilon(rng):
    yield from paths(
        rng, [(5, 3, 0.7, 0.7, 0.0), (3, 2, 0.9, 0.9, 0.0), (8, 1, 0.5, 0.5, 0.0), (4, 4, 0.6, 0.6, 0.0)]
    )


def everything(rng):
    yield from paths(
        rng,
        [(6, 3, 0.9, 0.98, 0.1), (3, 3, 0.5, 0.9, 1e-9), (1, 4, 0.9, 0.98, 0.3), (120, 2, 0.9, 0.99, 0.01)],
    )
    for case in paths(rng, [(4, 3, 0.9, 0.98, 1e-9), (2, 5, 0.9, 0.98, 1e-8)]):
        yield {**case, "gradients": 1e-8 * case["gradients"]}  # so small that epsilon counts
    for case in paths(rng, [(5, 3, 0.9, 0.98, 0.1), (4, 2, 0.5, 0.9, 1e-9)]):
        still = case["gradients"].copy()
        still[1::2] = 0.0  # the means of the gradients before go on moving
        yield {**case, "gradients": still}
    for case in paths(rng, [(6, 3, 0.9, 0.98, 0.1), (5, 2, 0.5, 0.9, 1e-9)]):
        rates = case["rates"].copy()
        rates[1::2] = 0.0  # the parameters stay where they are, and the means go on
        yield {**case, "rates": rates}


def call_adam(student, inputs):
    return {"path": student.adam_path(**inputs)}


def adam_path(gradients, rates, beta_1, beta_2, eps):
    steps, size = gradients.shape
    path = np.zeros((steps, size))
    for i in range(size):
        m, v, theta = 0.0, 0.0, 0.0
        for t in range(1, steps + 1):
            g = gradients[t - 1, i]
            m = beta_1 * m + (1 - beta_1) * g
            v = beta_2 * v + (1 - beta_2) * g * g
            theta -= rates[t - 1] * (m / (1 - beta_1**t)) / ((v / (1 - beta_2**t)) ** 0.5 + eps)
            path[t - 1, i] = theta
    return path


def small_noise(rng):
    for w, size, peak in [
        (4, 3, 0.1),
        (1, 2, 0.5),
        (7, 5, 0.01),
        (whole(rng, 2, 9), 4, 1.0),
        (5, 1, 0.2),
        (3, 3, 0.3),
        (60, 2, 0.4),
    ]:
        yield {"gradients": rng.standard_normal((w, size)) + 0.3, "peak": peak, "w": w}
    # a peak that is a whole number; first gradients of zero, so that later moves are longer
    later = rng.standard_normal((5, 3)) + 0.3
    later[0, 1:] = 0.0
    yield {"gradients": later, "peak": 1, "w": 5}
    # so small that epsilon counts
    yield {"gradients": 1e-8 * (rng.standard_normal((4, 3)) + 0.3), "peak": 0.1, "w": 4}
    # peaks so small that all lengths are, too
    for w, size, peak in [(4, 3, 3e-8), (6, 2, 2e-14)]:
        yield {"gradients": rng.standard_normal((w, size)) + 0.3, "peak": peak, "w": w}
    # a first move of length 0
    waiting = rng.standard_normal((5, 3)) + 0.3
    waiting[0] = 0.0
    yield {"gradients": waiting, "peak": 0.2, "w": 5}


def call_measure(student, inputs):
    return dict(student.measure(**inputs))


def measure(gradients, peak, w):
    cold = adam_path(gradients, np.array([peak] * w), 0.9, 0.98, 1e-9)
    warm = adam_path(gradients, np.array([peak * (t + 1) / w for t in range(w)]), 0.9, 0.98, 1e-9)
    first, far, near = (float((x**2).sum() ** 0.5) for x in (cold[0], cold[-1], warm[-1]))
    return {"first": first, "cold": far, "warm": near, "share": near / far}


def give_report(student, inputs):
    return {name: student.report[name] for name in ("first", "cold", "warm", "share")}


def decoders(rng, kinds):
    """Tables of scores: those of the next word depend on the row and on all words of its prefix, in order."""
    for n, vocab, most, pull in kinds:
        end = whole(rng, 0, vocab)
        start = (end + whole(rng, 1, vocab)) % vocab
        table = rng.standard_normal((n, 11, vocab))
        table[:, :, end] += pull
        yield {"table": torch.from_numpy(table), "n": n, "start": start, "end": end, "most": most}


def never_ending(rng):
    yield from decoders(rng, [(1, 4, 3, -9), (3, 5, 6, -9), (2, 6, 1, -9), (4, 3, 8, -9), (2, 4, 70, -9)])
    for case in decoders(rng, [(2, 5, 4, -9)]):
        yield {**case, "table": case["table"] - 1e12}


def ending(rng):
    yield from decoders(
        rng,
        [(1, 4, 12, 0.5), (4, 5, 12, 0.5), (3, 6, 9, 0.8), (6, 4, 20, 0.7), (5, 3, 5, 0.3), (2, 5, 15, 9)],
    )
    yield from ending_apart(rng)
    # texts that are begun with the end token are not over
    for case in decoders(rng, [(2, 5, 8, -9), (3, 4, 9, 0.5)]):
        yield {**case, "start": case["end"]}
    for case in decoders(rng, [(3, 5, 8, 0.5)]):
        yield {**case, "trains": True}


def ending_apart(rng):
    """Rows that end at different times before `most`; at last an ended one would go on with a word."""
    found = 0
    while found < 3:
        for case in decoders(rng, [(3, 6, 12, 0.8)]):
            table, words = case.pop("table"), []

            def next_scores(prefix, table=table, words=words):
                keys = (prefix * torch.arange(1, prefix.shape[1] + 1)).sum(1) % table.shape[1]
                scores = table[torch.arange(len(prefix)), keys]
                words.append(set(scores.argmax(1).tolist()))
                return scores

            rows = translate(next_scores, **case)
            if len(words) < case["most"] and len({*map(len, rows)}) > 1 and words[-1] != {case["end"]}:
                found += 1
                yield {"table": table, **case}


def tied(rng):
    """Scores of 0 and 1, of which many are equal, the end's among them or never; or that differ by little."""
    for case in decoders(rng, [(5, 6, 7, 0), (6, 7, 6, 0)]):  # the end has the largest of the equal numbers
        table = (case["table"] > 0).double()
        table[:, :, -1] = 1.0
        yield {**case, "table": table, "start": 0, "end": table.shape[2] - 1}
    for case in decoders(rng, [(3, 5, 6, 0), (2, 4, 5, 0), (4, 6, 10, 0), (1, 3, 4, 0), (3, 120, 4, 0)]):
        table = (case["table"] > 0).double()
        table[:, :, case["end"]] = -1.0
        yield {**case, "table": table}
    for case in decoders(rng, [(3, 5, 6, 0), (2, 6, 5, 0)]):
        table = 1e-9 * case["table"]
        table[:, :, case["end"]] = -1.0
        yield {**case, "table": table.float()}
        yield {**case, "table": table + 1.0}


def nothing(rng):
    yield from decoders(rng, [(2, 4, 0, 0.5), (1, 3, 0, -9)])


def call_translate(student, inputs):
    table, given_out = inputs["table"].clone().requires_grad_("trains" in inputs), []

    def next_scores(prefix):
        if not isinstance(prefix, torch.Tensor) or prefix.dtype != torch.long or prefix.dim() != 2:
            given = str(getattr(prefix, "dtype", type(prefix).__name__)).removeprefix("torch.")
            raise ValueError(f"next_scores is a function of a long tensor (n, time); it was given {given}")
        weights = torch.arange(1, prefix.shape[1] + 1)
        key = (prefix * weights).sum(1) % table.shape[1]
        scores = table[torch.arange(len(prefix)), key]
        given_out.append((scores, scores.detach().clone()))
        return scores

    found = student.translate(next_scores, inputs["n"], inputs["start"], inputs["end"], inputs["most"])
    rows = [str([int(word) for word in row]) for row in found]
    return {"rows": rows, "the scores are as they were": all(torch.equal(*pair) for pair in given_out)}


def call_count(student, inputs):
    table, calls = inputs["table"], []

    def next_scores(prefix):
        if not isinstance(prefix, torch.Tensor) or prefix.dtype != torch.long or prefix.dim() != 2:
            given = str(getattr(prefix, "dtype", type(prefix).__name__)).removeprefix("torch.")
            raise ValueError(f"next_scores is a function of a long tensor (n, time); it was given {given}")
        calls.append(prefix.tolist())
        weights = torch.arange(1, prefix.shape[1] + 1)
        key = (prefix * weights).sum(1) % table.shape[1]
        return table[torch.arange(len(prefix)), key].clone()

    found = student.translate(next_scores, inputs["n"], inputs["start"], inputs["end"], inputs["most"])
    rows = [str([int(word) for word in row]) for row in found]
    return {"calls": len(calls), "prefixes": [str(prefix) for prefix in calls], "rows": rows}


def translate(next_scores, n, start, end, most):
    prefix, rows, ended = [[start] for _ in range(n)], [[] for _ in range(n)], [False] * n
    while len(prefix[0]) <= most and not all(ended):
        scores = next_scores(torch.tensor(prefix)).tolist()
        for i, row in enumerate(scores):
            word = end if ended[i] else row.index(max(row))
            ended[i] = ended[i] or word == end
            if not ended[i]:
                rows[i].append(word)
            prefix[i].append(word)
    return rows


NUMBERS = {"no gradient": "tokens and NumPy's numbers have no gradient"}

QUESTIONS = [
    Question(
        id="13.1",
        title="The shifted target",
        kind="implement",
        difficulty=1,
        minutes=15,
        reference={"shift": shift},
        parts=[
            Part(
                "equal lengths",
                1,
                "targets of one length, where nothing is filled up",
                call_shift,
                inputs=equal_lengths,
                hints=(
                    "Write down both rows for the target (5, 7). How long are they?",
                    "Each has one token more than the target: one begins with it, the other ends with it.",
                ),
            ),
            Part(
                "mixed lengths",
                2,
                "targets of different lengths, with any start, end and ignored",
                call_shift,
                inputs=mixed_lengths,
                hints=(
                    "Look at the last columns of a short row. What should stand in each of the two matrices?",
                    "Where the loss looks, padding must be `ignored`; what is read must be a token.",
                    "The end token of a short row stands right behind its target, not in the last column.",
                ),
            ),
            Part(
                "empty",
                1,
                "empty targets, alone and among others",
                call_shift,
                inputs=with_empty,
                hints=(
                    "What does a decoder read and write whose target has no words?",
                    "It reads the start token and writes the end token: there is always at least one column.",
                ),
            ),
        ],
    ),
    Question(
        id="13.2",
        title="Rates and sizes",
        kind="derive",
        difficulty=2,
        minutes=20,
        reference={
            "peak": 256000**-0.5,
            "early": 250.0,
            "late": 16000.0,
            "weights": 1048576,
            "more": 4 / 3,
            "scores": 75,
        },
        parts=[
            Part(
                "peak",
                1,
                "the schedule's peak",
                reads=("peak",),
                hints=(
                    "At which step are the two terms of the minimum equal?",
                    "The width and the steps of warm-up both stand under a root.",
                ),
            ),
            Part(
                "early",
                1,
                "where the rate is a quarter of the peak, before it",
                reads=("early",),
                hints=(
                    "Before the peak the rate is proportional to the step.",
                    "The peak is at the last step of warm-up. At which share of it is the rate a quarter?",
                ),
            ),
            Part(
                "late",
                1,
                "where the rate is a quarter of the peak, after it",
                reads=("late",),
                hints=(
                    "After the peak the rate is proportional to one over the root of the step.",
                    "A quarter of a root is the root of a sixteenth.",
                ),
            ),
            Part(
                "weights",
                1,
                "the weights of a block of the decoder",
                reads=("weights",),
                hints=(
                    "Which three sub-layers has a block of the decoder, and which matrices has each?",
                    "An attention has four matrices of width by width. Its heads share them out.",
                ),
            ),
            Part(
                "more",
                1,
                "how many times an encoder's block that is",
                reads=("more",),
                hints=(
                    "If `weights` is wrong, mend that first.",
                    "An encoder's block has one attention. Which of the two counts is divided by the other?",
                ),
            ),
            Part(
                "scores",
                1,
                "open pairs of a query and a key",
                reads=("scores",),
                hints=(
                    "Row i of a causal mask has i open cells. How many is that for six rows?",
                    "Cross-attention has one row per word that is read and one column per source word.",
                ),
            ),
        ],
    ),
    Question(
        id="13.3",
        title="Repair Adam",
        kind="repair",
        difficulty=3,
        minutes=25,
        reference={"adam_path": adam_path},
        exempt=NUMBERS,
        parts=[
            Part(
                "epsilon",
                1,
                "both betas 0, so that the means are the gradients themselves",
                call_adam,
                inputs=without_memory,
                hints=(
                    "With both betas 0 the move is minus the rate times g / (|g| + epsilon). Is it?",
                    "Does your epsilon stand under the root or behind it?",
                ),
            ),
            Part(
                "first step",
                1,
                "a single step without epsilon",
                call_adam,
                inputs=one_step,
                hints=(
                    "Without epsilon the first move is as long as the rate, against the gradient's sign.",
                    "Write m and v after one step, divided by their corrections. Which factor is left over?",
                    "Each mean has a beta of its own, in the sum as well as in the correction.",
                ),
            ),
            Part(
                "correction",
                2,
                "several steps with equal betas",
                call_adam,
                inputs=no_epsilon,
                hints=(
                    "If one step is right and two are not, what depends on t?",
                    "The weights in the running mean of t gradients add up to 1 - beta**t.",
                ),
            ),
            Part(
                "all",
                2,
                "several steps, different betas, with epsilon",
                call_adam,
                inputs=everything,
                hints=(
                    "If another part is lost, mend that first.",
                    "There are three mistakes: compare your code with the formulas, term by term.",
                ),
            ),
        ],
    ),
    Question(
        id="13.4",
        title="Measure the first steps",
        kind="experiment",
        difficulty=4,
        minutes=30,
        reference={
            "measure": measure,
            "report": {"first": 0.199999999, "cold": 1.54322683, "warm": 0.74933310, "share": 0.48556251},
        },
        needs=("13.3",),
        parts=[
            Part(
                "first",
                1,
                "on small noise: the first move",
                call_measure,
                inputs=small_noise,
                atol=0.0,
                compare=("first",),
                hints=(
                    "Parameters start at 0, so the first move ends at the first row of the path.",
                    "The cold rate is the peak from the first step on.",
                ),
            ),
            Part(
                "cold",
                1,
                "on small noise: how far without warm-up",
                call_measure,
                inputs=small_noise,
                atol=0.0,
                compare=("cold",),
                hints=(
                    "How far from 0 is the last row of the path, not how long the path is.",
                    "A length is the root of the sum of the squares.",
                ),
            ),
            Part(
                "warm",
                1,
                "on small noise: how far with warm-up",
                call_measure,
                inputs=small_noise,
                atol=0.0,
                compare=("warm",),
                hints=(
                    "What is the rate at the first step, and at the last?",
                    "Steps count from 1: the first rate is the peak over w, the last is the peak.",
                ),
            ),
            Part(
                "share",
                1,
                "on small noise: the one over the other",
                call_measure,
                inputs=small_noise,
                atol=0.0,
                compare=("share",),
                hints=("Which of the two is divided?", "The share is the warm length over the cold one."),
            ),
            Part(
                "report",
                2,
                "your run on the noise",
                give_report,
                conceal=True,
                digits=5,
                requires=("first", "cold", "warm", "share"),
                hints=(
                    "Is the peak 0.01 and w 50, as the text says?",
                    "Copy the four numbers with six digits, from the noise as it is given.",
                ),
            ),
        ],
    ),
    Question(
        id="13.5",
        title="Translate a batch",
        kind="implement",
        difficulty=5,
        minutes=40,
        reference={"translate": translate},
        parts=[
            Part(
                "words",
                1,
                "rows that do not end before they have `most` words",
                call_translate,
                inputs=never_ending,
                hints=(
                    "The first prefixes hold the start token alone. What do the second ones hold?",
                    "The decoder needs the whole prefix at each call, not the last word alone.",
                ),
            ),
            Part(
                "ends",
                2,
                "rows that end at different times",
                call_translate,
                inputs=ending,
                hints=(
                    "The end token is no word of the translation. Where is it cut off?",
                    "What a row is fed after its end must not reach its translation.",
                    "The scores belong to the decoder: do not write into them. They may carry a gradient.",
                ),
            ),
            Part(
                "calls",
                2,
                "what the decoder is called with, and how often",
                call_count,
                inputs=ending,
                compare=("calls", "prefixes"),
                requires=("words",),
                hints=(
                    "Count the calls. When need the decoder not be called again?",
                    "A row that has ended is fed the end token from then on.",
                    "If all rows have ended, stop, before the decoder is asked once more.",
                ),
            ),
            Part(
                "ties",
                1,
                "equal scores, and nearly equal ones",
                call_translate,
                inputs=tied,
                hints=(
                    "Which token does your code take if two have the same score?",
                    "The smallest of them is wanted.",
                    "Scores that differ by little are not equal: what rounds them may make them so.",
                ),
            ),
            Part(
                "nothing",
                1,
                "no word at all: `most` is 0",
                call_count,
                inputs=nothing,
                requires=("words",),
                hints=(
                    "With `most` 0 the decoder is not called, and every translation is empty.",
                    "Check the number of words before the call rather than after it.",
                ),
            ),
        ],
    ),
]
