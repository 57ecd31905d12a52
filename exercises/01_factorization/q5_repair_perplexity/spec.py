"""Question 01.5: Repair a perplexity."""

import math

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import tokens_of


def corpus(rng, lengths, vocab, scale=1.5):
    documents = [
        torch.cat([1 + tokens_of(rng, vocab - 1, n - 1), torch.zeros(1, dtype=torch.long)])
        if vocab > 1
        else torch.zeros(n, dtype=torch.long)
        for n in lengths
    ]
    return {
        "documents": documents,
        "logits": [normal(rng, n, vocab, scale=scale) for n in lengths],
        "first": [normal(rng, vocab, scale=scale) for _ in lengths],
    }


def losses_of(scores, tokens):
    return scores.logsumexp(1) - scores.gather(1, tokens[:, None])[:, 0]


def row_with_loss(vocab, token, nats):
    """Logits that give ``token`` a loss of so many nats, and all others the same."""
    row = torch.zeros(vocab)
    row[token] = math.log((vocab - 1) / math.expm1(float(nats)))
    return row


def ends_like_the_rest(rng):
    """One document whose end token has the mean loss of the others: leaving it out changes nothing."""
    for length, vocab in sizes(rng, length=(3, 9), vocab=(2, 7)):
        case = corpus(rng, [length], vocab)
        (tokens,), (after,), (begin,) = case.values()
        scores = torch.cat([begin[None], after[:-1]])
        after[-2] = row_with_loss(vocab, 0, losses_of(scores[:-1], tokens[:-1]).mean())
        yield case


def equal_logits(rng):
    """One document with the same logits after each token: which of them are taken makes no difference."""
    for length, vocab in sizes(rng, length=(3, 9), vocab=(2, 7)):
        case = corpus(rng, [length], vocab)
        yield {**case, "logits": [case["logits"][0][:1].repeat(length, 1)]}


def equal_lengths(rng):
    """Documents of one length, with equal logits and end tokens like the rest: only the mean matters."""
    for documents, length, vocab in sizes(rng, documents=(2, 4), length=(3, 6), vocab=(3, 7)):
        case = corpus(rng, [length] * documents, vocab)
        for i, tokens in enumerate(case["documents"]):
            row = case["logits"][i][0] * min(1.0, 2 / length)  # the first token shall stay likely enough
            row[0] = row[1:].min() - rng.uniform(0.2, 1.5) * min(1.0, 2 / length)
            case["logits"][i] = row.repeat(length, 1)
            inner = losses_of(row.expand(length - 1, -1), tokens[1:])
            case["first"][i] = row_with_loss(vocab, tokens[0], (length - 1) * inner[-1] - inner[:-1].sum())
        yield case


def many_documents(rng):
    """Documents of different lengths, among them some that hold nothing but their end."""
    for number, (short, more, vocab) in enumerate(sizes(rng, short=4, more=(2, 8), vocab=7)):
        lengths = [short, short + more, *rng.integers(1, 6, number % 3).tolist()]
        yield corpus(rng, lengths, vocab)
    yield corpus(rng, [1], 4)
    yield corpus(rng, [1] * int(rng.integers(2, 5)), 3)
    # a hundred tokens and more, whose product of probabilities vanishes, and a token beyond 255
    yield corpus(rng, [int(rng.integers(480, 540)), 3], 5)
    case = corpus(rng, [3, 2], int(rng.integers(260, 290)))
    case["documents"][0][0] = len(case["first"][0]) - 1
    yield case
    # logits below a thousandth: how far the perplexity is from that of equal ones
    yield {**corpus(rng, [3, 5], 4, scale=5e-4), "of equal logits": 4.0}
    yield with_large_logits(rng, corpus(rng, [int(rng.integers(2, 6)), 40, 1], 5))


def with_large_logits(rng, case):
    """Another number added to each row, which changes nothing, and a token that was as good as impossible."""
    tokens, after = case["documents"][1], case["logits"][1]
    after[20, tokens[21]] -= 130
    for rows in (*case["logits"], *case["first"]):
        signs = torch.from_numpy(rng.choice([-1.0, 1.0], rows.shape[:-1]))
        rows += (signs * torch.from_numpy(rng.uniform(800, 1000, rows.shape[:-1]))).float()[..., None]
    return case


def call_perplexity(student, inputs):
    value = student.corpus_perplexity(inputs["documents"], inputs["logits"], inputs["first"])
    if "of equal logits" in inputs:
        return {"perplexity, less that of equal logits": float(value) - inputs["of equal logits"]}
    return {"perplexity": float(value)}


def corpus_perplexity(documents, logits, first):
    scores = torch.cat([torch.cat([begin[None], after[:-1]]) for after, begin in zip(logits, first)])
    return math.exp(losses_of(scores.double(), torch.cat(documents)).mean())


QUESTION = Question(
    id="01.5",
    title="Repair a perplexity",
    kind="repair",
    difficulty=3,
    minutes=20,
    reference={"corpus_perplexity": corpus_perplexity},
    clauses={
        "Logits can be as large as a thousand": ("corpus", "overflow"),
        "There are three mistakes": "the parts logits, end token and one mean have one each",
    },
    parts=[
        Part(
            "logits",
            2,
            "each token is scored by the logits before it",
            call_perplexity,
            inputs=ends_like_the_rest,
            hints=(
                "`logits[i][t]` belong to the token after t. Which logits predict the second token?",
                "Put `first` in front: which row is then too many?",
                "The logits after the last token predict nothing that is in the document.",
            ),
        ),
        Part(
            "end token",
            1,
            "the end token is scored as well",
            call_perplexity,
            inputs=equal_logits,
            hints=(
                "Count the tokens that are scored in a document of five tokens.",
                "The end token is a token like the others: it is predicted by the logits before it.",
            ),
        ),
        Part(
            "one mean",
            1,
            "the exponential is taken once, of the mean (documents of one length)",
            call_perplexity,
            inputs=equal_lengths,
            hints=(
                (
                    "Print the nats of each token of the case that is named. Are they right, and at which "
                    "step is an exponential taken?"
                ),
                "Perplexity is exp of one mean. Take the exponential once, at the end.",
            ),
        ),
        Part(
            "corpus",
            1,
            "every token of the corpus weighs the same, all mended together",
            call_perplexity,
            inputs=many_documents,
            rtol=3e-4,
            hints=(
                (
                    "Which tokens of which documents are in your sum, and by how many is it divided? "
                    "Count both for the case that is named."
                ),
                "The longer one counts five times as much. Add up nats and tokens over all documents, and "
                "divide once, after the loop.",
                "A product of 500 probabilities is zero in floating point, and exp(1000) is infinite: stay "
                "with logarithms until the mean is taken.",
            ),
        ),
    ],
)
