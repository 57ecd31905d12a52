"""Question 14.3: Repair a sampler."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question


def chains(sizes, *, depends=True, ends=True, alike=False, loud=False, remembers=True):
    """Tables of the next token's logits; ``alike`` numbers are the same at each step of a row.

    Where nothing ``remembers``, they depend on the last token alone.
    """

    def draw(rng):
        for batch, time, vocab in sizes:
            table = rng.standard_normal((vocab, vocab)) * 1.5
            if not depends:
                table[:] = table[0]
            start, end = (int(i) for i in rng.choice(vocab, 2, replace=False))
            table[:, end] = 1.5 if ends else -40.0
            if loud:
                table = 1000.0 * table + rng.choice([-5000.0, 3000.0], (vocab, 1))
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


SIZES = [(3, 6, 5), (1, 7, 4), (5, 2, 3), (4, 4, 4), (3, 6, 5), (2, 1, 6), (110, 3, 4), (2, 104, 4)]
carried = chains(SIZES, ends=False, alike=True)
counted = chains(SIZES, depends=False, ends=False)
stopped = chains([(6, 8, 4), (9, 6, 3), (8, 8, 5)], alike=True, remembers=False)
every_chain = chains(SIZES)


def all_chains(rng):
    yield from every_chain(rng)
    yield from chains([(4, 5, 4), (1, 6, 5)], loud=True)(rng)
    yield from edges(rng)


def edges(rng):
    """Texts that are begun with the end token; numbers that are 0 where the first token is impossible."""
    for case in chains([(3, 6, 4), (1, 5, 3)])(rng):
        yield {**case, "start": case["end"]}
    for case in chains([(4, 5, 5), (2, 3, 4)])(rng):
        table, uniforms = case["table"].clone(), case["uniforms"].clone()
        table[:, 0] = -math.inf
        uniforms[::2] = 0.0
        yield {**case, "table": table, "uniforms": uniforms}
    for batch, time, vocab in [(3, 2, 5), (2, 3, 7)]:
        yield just_below(rng, batch, time, vocab)


def just_below(rng, batch, time, vocab):
    """Numbers just below 1, which the sum of all rounded probabilities of the first token does not exceed."""
    most = np.nextafter(np.float32(1), np.float32(0))
    while True:
        (case,) = chains([(batch, time, vocab)])(rng)
        table = 0.5 * case["table"]
        if case["end"] == vocab - 1:
            continue
        if table[case["start"]].float().softmax(0).cumsum(0)[-1] <= float(most):
            return {**case, "table": table, "uniforms": torch.full_like(case["uniforms"], float(most))}


def call_sample(student, inputs):
    read = []

    def step(token, state):
        # the state counts the tokens read and remembers the last but one
        read.append(token.tolist())
        count, before = state
        logits = inputs["table"][token]
        if count > 0 and inputs["remembers"]:
            logits = 0.5 * (logits + inputs["table"][before])
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
                "What does the model know at the third step of the first token?",
                "`step` returns a new state. Where does it go?",
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
                "Are the tokens of one row all the same?",
                "Each step has its own column of random numbers.",
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
                "If a part before is lost, mend that first.",
                "Follow one row by hand, step by step, until behind its end. What does `step` read?",
                "What happens where a number is 0 and the first token impossible, where the rounded "
                "probabilities do not sum to 1, where `start` is `end`? And 0 times minus infinity is "
                "NaN.",
            ),
        ),
    ],
)
