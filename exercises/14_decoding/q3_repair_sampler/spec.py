"""Question 14.3: Repair a sampler."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes


def chains(kinds, *, depends=True, ends=True, alike=False, loud=False, remembers=True):
    """Tables of the next token's logits; ``alike`` numbers are the same at each step of a row.

    Where nothing ``remembers``, they depend on the last token alone. A large vocabulary shares a few rows.
    """

    def draw(rng):
        for batch, time, vocab in kinds(rng) if callable(kinds) else kinds:
            table = rng.standard_normal((min(vocab, 7), vocab)) * 1.5
            if not depends:
                table[:] = table[0]
            start, end = (int(i) for i in rng.choice(vocab, 2, replace=False))
            table[:, end] = 1.5 if ends else -40.0
            if loud:
                table = 1000.0 * table + rng.choice([-5000.0, 3000.0], (len(table), 1))
            uniforms = rng.uniform(0.02, 0.98, (batch, time))
            if alike:
                uniforms[:] = uniforms[:, :1]
            yield {
                "table": torch.from_numpy(table),
                "start": start,
                "end": end,
                "uniforms": torch.from_numpy(uniforms.astype(np.float32)),
                "remembers": remembers,
            }

    return draw


def several(rng):
    yield from sizes(rng, batch=4, time=6, vocab=(3, 6), far={"batch": 100})


def with_ends(rng):
    yield from sizes(rng, batch=(6, 9), time=(6, 8), vocab=(3, 5))


def any_size(rng):
    yield from sizes(rng, batch=4, time=5, vocab=(2, 6), far={"time": 100})
    yield int(rng.integers(2, 4)), 5, int(rng.integers(300, 320))


carried = chains(several, ends=False, alike=True)
counted = chains(several, depends=False, ends=False)
stopped = chains(with_ends, alike=True, remembers=False)
every_chain = chains(any_size)


def all_chains(rng):
    yield from every_chain(rng)
    yield from chains([(4, 5, 4), (1, 6, 5)], loud=True)(rng)
    yield from edges(rng)


def edges(rng):
    """Texts that are begun with the end token; numbers that are 0 where the first token is impossible."""
    for case in chains([(3, 6, 4), (1, 5, 3)])(rng):
        yield {**case, "start": case["end"]}
    # the end is the only token
    yield {**next(chains([(2, 3, 2)])(rng)), "table": torch.zeros(1, 1), "start": 0, "end": 0}
    for case in chains([(4, 5, 5), (2, 3, 4)])(rng):
        table, uniforms = case["table"].clone(), case["uniforms"].clone()
        table[:, 0] = -math.inf
        uniforms[::2] = 0.0
        yield {**case, "table": table, "uniforms": uniforms}
    for case in chains([(3, 4, 5)], ends=False)(rng):  # the last token is impossible
        table = case["table"].clone()
        table[:, -1] = -math.inf
        yield {**case, "table": table, "uniforms": 0.5 + 0.49 * case["uniforms"]}
    yield rare(rng)
    yield nearly_zero(rng)
    for case in chains([(3, 5, 4)] * 2)(rng):  # the same shapes and tokens, another model
        yield {**case, "start": 1, "end": 2}
    yield after_the_end(rng)
    for vocab in (int(rng.integers(4, 7)), int(rng.integers(3, 5))):
        yield just_below(rng, int(rng.integers(2, 4)), int(rng.integers(2, 4)), vocab)


def rare(rng):
    """Numbers that are 0, which draw a first token of a probability of about 1e-17."""
    (case,) = chains([(3, 4, 5)], ends=False)(rng)
    table, uniforms = case["table"].clone(), case["uniforms"].clone()
    table[:, 0] = -torch.from_numpy(rng.uniform(37.0, 41.0, len(table)))
    uniforms[:, ::2] = 0.0
    return {**case, "table": table, "uniforms": uniforms, "start": 2, "end": 4}


def nearly_zero(rng):
    """Numbers below a thousandth, and still above the probability of the first token."""
    (case,) = chains([(3, 4, 5)], ends=False, remembers=False)(rng)
    table, uniforms = case["table"].clone(), case["uniforms"].clone()
    table[:, 0] = table[:, 1:].logsumexp(1) + math.log(2e-4)
    uniforms[:, ::2] = torch.from_numpy(rng.uniform(4e-4, 9e-4, (3, 2))).float()
    return {**case, "table": table, "uniforms": uniforms, "start": 2, "end": 4}


def after_the_end(rng):
    """Texts that end within, and behind the end token the model gives another one the probability 0."""
    (case,) = chains([(3, 6, 4)], remembers=False)(rng)
    table, uniforms, end = case["table"].clone(), case["uniforms"].clone(), case["end"]
    table[end, end] = -math.inf
    table[case["start"], end] = 3.0
    share = table[case["start"]].softmax(0)
    uniforms[::2, 0] = float(share[:end].sum() + 0.5 * share[end])  # these rows draw the end at once
    return {**case, "table": table, "uniforms": uniforms}


def just_below(rng, batch, time, vocab):
    """Numbers just below 1, which the sum of all rounded probabilities does not exceed.

    The last token, which is drawn throughout, is never the most probable one.
    """
    most, last = float(np.nextafter(np.float32(1), np.float32(0))), vocab - 1
    while True:
        (case,) = chains([(batch, time, vocab)], ends=False, remembers=False)(rng)
        table = 0.5 * case["table"]
        if last in (case["end"], case["start"]):
            continue
        table[:, case["end"]] = 0.0
        p = table[[case["start"], last]].float().softmax(1)
        if (p.cumsum(1)[:, -1] <= most).all() and (p.argmax(1) < last).all():
            return {**case, "table": table, "uniforms": torch.full_like(case["uniforms"], most)}


def call_sample(student, inputs):
    read = []

    def step(token, state):
        # the state counts the tokens read and remembers the last but one
        read.append(token.tolist())
        count, before = state
        table = inputs["table"]
        logits = table[token % len(table)]
        if count > 0 and inputs["remembers"]:
            logits = 0.5 * (logits + table[before % len(table)])
        return logits.float(), (count + 1, token)

    batch, time = inputs["uniforms"].shape
    first = torch.full((batch,), inputs["start"])
    tokens, total = student.sample(step, (0, first), inputs["start"], inputs["end"], inputs["uniforms"])
    written = np.array([np.asarray(row) for row in tokens])
    fed = all(np.array_equal(given, written[..., t]) for t, given in enumerate(read[1:time]))
    return {"tokens": tokens, "log-probabilities": total, "step reads the row as it is returned": fed}


def sample(step, state, start, end, uniforms):
    batch, time = uniforms.shape
    token, alive = torch.full((batch,), start), torch.ones(batch, dtype=torch.bool)
    total = torch.zeros(batch, dtype=torch.float64)
    tokens = torch.full((batch, time), end)
    for t in range(time):
        logits, state = step(token, state)
        p = logits.softmax(1)
        reached = p.cumsum(1) > uniforms[:, t, None]
        token = torch.where(reached.any(1), reached.long().argmax(1), p.shape[1] - 1)
        token = torch.where(alive, token, end)
        log_p = logits.double().log_softmax(1)
        total = total + torch.where(alive, log_p.gather(1, token[:, None])[:, 0], 0.0)
        tokens[:, t] = token
        alive = alive & (token != end)
    return tokens, total


QUESTION = Question(
    id="14.3",
    title="Repair a sampler",
    kind="repair",
    difficulty=2,
    minutes=20,
    reference={"sample": sample},
    exempt={
        "no gradient": "it samples; nothing trains through it",
        "sample: shifted by the largest of all rows": "logits come from step, not as an argument",
        "sample: change of argument state": "it is of any kind, here a tuple",
        "sample: state wrapped at 256": "it is handed on, whatever it is",
        "sample: uniforms clipped at 10": "they are below 1",
    },
    clauses={
        "given number $u$ with": ("together", "zero_takes_first"),
        "it is the first token": "most_probable loses every part",
        "are in column $t$ of": "same_number and first_row lose all parts in which numbers differ",
        "and no more is added": "counts_after loses both parts of log-probabilities",
        "A logit may be minus infinity": ("together", "infinity_times_0"),
        "Where rounding leaves no": ("together", "most_probable_instead"),
        "The start token may be": ("together", "begun_over"),
        "There are *four* mistakes": "each has a part, and the bank mends one or two alone",
        "time at least 1": "one step is among the cases of three parts",
        "and its log-probability": ("together", "guarded_log"),
    },
    parts=[
        Part(
            "state",
            1,
            "a model that remembers, and no end",
            call_sample,
            inputs=carried,
            compare=("tokens", "log-probabilities"),
            hints=(
                "Write down what `step` is called with at the first three steps: which tokens, and "
                "which state?",
                "`step` returns a new state, which the next step needs. Where does it go?",
            ),
        ),
        Part(
            "uniforms",
            1,
            "a model that forgets, and no end",
            call_sample,
            inputs=counted,
            compare=("tokens", "log-probabilities"),
            hints=(
                "Which number of `uniforms` draws the token of row 1 at the third step, and which "
                "in your code?",
                "Each step has its own column of random numbers, and each row of the batch its own "
                "number there.",
            ),
        ),
        Part(
            "filled up",
            1,
            "texts that end: their tokens",
            call_sample,
            inputs=stopped,
            compare=("tokens",),
            hints=(
                "What stands behind the first end token of a row?",
                "Keep for each row whether it has drawn the end token, and put it wherever it has.",
            ),
        ),
        Part(
            "log-probability",
            1,
            "texts that end: their log-probabilities",
            call_sample,
            inputs=stopped,
            compare=("log-probabilities",),
            hints=(
                "The end token counts, and what comes behind it does not.",
                "Decide whether a row is over before you add the cost of a step, not after.",
            ),
        ),
        Part(
            "together",
            1,
            "all together",
            call_sample,
            inputs=all_chains,
            hints=(
                "The case that is told of: is a number 0, a logit minus infinity, `start` the end, "
                "or a text over?",
                "Follow one row by hand, step by step, until behind its end. What does `step` read?",
                "What happens where a number is 0 and the first token impossible, where the rounded "
                "probabilities do not sum to 1, where `start` is `end`? And 0 times minus infinity is "
                "NaN.",
            ),
        ),
    ],
)
