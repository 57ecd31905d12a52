"""Question 13.5: Translate a batch."""

import numpy as np
import torch
from autograder.authoring import Part, Question, sizes

from ..inputs import whole


def decoders(rng, kinds, keys=11):
    """Tables of scores: those of the next word depend on the row and on all words of its prefix, in order."""
    for n, vocab, most, pull in kinds:
        end = whole(rng, 0, vocab)
        start = (end + whole(rng, min(1, vocab - 1), vocab)) % vocab
        table = rng.standard_normal((n, keys, vocab))
        table[:, :, end] += pull
        yield {"table": torch.from_numpy(table), "n": n, "start": start, "end": end, "most": most}


def never_ending(rng):
    for n, vocab, most in sizes(rng, n=5, vocab=(2, 7), most=8):
        yield from decoders(rng, [(n, vocab, most, -9)])
    yield from decoders(rng, [(2, 4, whole(rng, 260, 270), -9)])
    yield from decoders(rng, [(whole(rng, 101, 110), 3, 3, -9)], keys=5)
    yield from decoders(rng, [(1, whole(rng, 300, 310), 4, -9)])
    for case in decoders(rng, [(2, 5, 4, -9)]):  # float32 makes all of these scores equal
        table = case["table"] - 1e12
        table[:, :, [0, -1]] -= 9.0  # so that neither the first nor the last is the highest
        yield {**case, "table": table}


def called(rng):
    yield from decoders(
        rng,
        [(1, 4, 12, 0.5), (4, 5, 12, 0.5), (6, 4, whole(rng, 15, 21), 0.7), (5, 3, 5, 0.3), (2, 5, 15, 9)],
    )
    yield from ending_apart(rng)


def ending(rng):
    yield from called(rng)
    for case in decoders(rng, [(whole(rng, 2, 6), 1, 4, 0)]):  # the end is the only word
        case["table"][0] -= 9.0  # and another row has the highest of all scores
        yield case
    yield {**next(decoders(rng, [(2, 290, 6, 3.0)])), "end": 280}
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
    """No row ends. Scores are 0 and 1, two of them or more 1 at any place; or they differ by little."""
    kinds = [(5, 6, 7), (6, 7, 6)], [(3, 5, 6), (2, 4, 5), (4, 6, 10), (1, 3, 4), (3, 120, 4)]
    for shapes, last in zip(kinds, (True, False)):
        for n, vocab, most in shapes:
            (case,) = decoders(rng, [(n, vocab, most, 0)])
            table, end = (case["table"] > 0).double(), vocab - 1 if last else case["end"]
            table[:, :, end] = 1.0 if last else -1.0  # once among the highest, as the largest token
            for row in table.flatten(0, 1):
                row[np.delete(np.arange(vocab), end)[rng.permutation(vocab - 1)[:2]]] = 1.0
            yield {**case, "table": table, "start": (end + 1) % vocab, "end": end}
    for case in decoders(rng, [(3, 5, 6, 0), (2, 6, 5, 0)]):
        table = 1e-9 * case["table"]
        table[:, :, case["end"]] = -1.0
        yield {**case, "table": table.float()}
        yield {**case, "table": table + 1.0}


def nothing(rng):
    yield from decoders(rng, [(whole(rng, 2, 6), 4, 0, 0.5), (1, 3, 0, -9)])


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
    clauses={
        "A row may take the start token": "start_filtered loses every part in which rows take words",
        "Start and end may be": ("ends", "start_is_end"),
        "of equal ones the smallest token": ("ties", "largest_token"),
        "A row that has ended": ("calls", "fed_start"),
        "and nothing may be written": ("ends", "writes_into_scores"),
        "not after the last row": ("calls", "no_stop"),
        "never for more than `most`": ("nothing", "asked_for_nothing"),
        "number of rows, at least 1": "one row is among the cases of every part",
        "tokens, which may be the same": ("ends", "start_is_end"),
        "included; may be 0": ("nothing", "no_rows"),
        "without the end token": ("ends", "end_kept"),
        "where a row takes it later": "start_filtered loses every part in which rows take words",
    },
    parts=[
        Part(
            "words",
            2,
            "rows that do not end before they have `most` words",
            call_translate,
            inputs=never_ending,
            hints=(
                (
                    "Print, call after call, the prefixes, the scores of one row and the word that you "
                    "take. Where do they part from what the text says?"
                ),
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
                "Follow the rows of the case by hand, call after call. When is each over, and what "
                "has it taken?",
                "Only an end token that a row has taken ends it. It is no word of the translation, and "
                "nothing "
                "that stands behind it is.",
                "The scores belong to the decoder: do not write into them. They may carry a gradient.",
            ),
        ),
        Part(
            "calls",
            3,
            "what the decoder is called with, and how often",
            call_count,
            inputs=called,
            compare=("calls", "prefixes"),
            requires=("words",),
            hints=(
                "Print every prefix that your code calls the decoder with, beside what each row has taken.",
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
                "Which token does your code take if two have the same score, and if two nearly have?",
                "Of equal ones the smallest is wanted, the end token being one of them.",
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
