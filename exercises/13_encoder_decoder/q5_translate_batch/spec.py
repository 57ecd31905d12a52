"""Question 13.5: Translate a batch."""

import torch
from autograder.authoring import Part, Question

from ..inputs import whole


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


QUESTION = Question(
    id="13.5",
    title="Translate a batch",
    kind="implement",
    difficulty=5,
    minutes=40,
    reference={"translate": translate},
    parts=[
        Part(
            "words",
            2,
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
            3,
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
            3,
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
)
