"""Question 01.5: Repair a perplexity."""

import math

import torch
from autograder.authoring import Part, Question, normal

from ..inputs import tokens_of


def corpus(rng, lengths, vocab=5):
    documents = [
        torch.cat([1 + tokens_of(rng, vocab - 1, n - 1), torch.zeros(1, dtype=torch.long)]) for n in lengths
    ]
    return {
        "documents": documents,
        "logits": [normal(rng, n, vocab, scale=1.5) for n in lengths],
        "first": [normal(rng, vocab, scale=1.5) for _ in lengths],
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
    for length in (6, 9):
        case = corpus(rng, [length])
        (tokens,), (after,), (begin,) = case.values()
        scores = torch.cat([begin[None], after[:-1]])
        after[-2] = row_with_loss(after.shape[1], 0, losses_of(scores[:-1], tokens[:-1]).mean())
        yield case


def equal_logits(rng):
    """One document with the same logits after each token: which of them are taken makes no difference."""
    for length in (5, 8):
        case = corpus(rng, [length])
        yield {**case, "logits": [case["logits"][0][:1].repeat(length, 1)]}


def equal_lengths(rng):
    """Documents of one length, with equal logits and end tokens like the rest: only the mean matters."""
    for documents, length in ((3, 5), (2, 4), (3, 5)):
        case = corpus(rng, [length] * documents)
        for i, tokens in enumerate(case["documents"]):
            row = case["logits"][i][0]
            row[0] = row[1:].min() - rng.uniform(0.2, 1.5)
            case["logits"][i] = row.repeat(length, 1)
            inner = losses_of(row.expand(length - 1, -1), tokens[1:])
            case["first"][i] = row_with_loss(len(row), tokens[0], (length - 1) * inner[-1] - inner[:-1].sum())
        yield case


def many_documents(rng):
    for lengths in ([2, 12, 5], [3, 3, 9, 1], [2, 12, 5], [1, 1, 1], [400, 3]):
        yield corpus(rng, lengths)
    yield with_large_logits(rng, corpus(rng, [4, 40, 1]))


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
                "Two documents with losses of 1 and 3 nats per token: compare the mean of exp with exp "
                "of the mean.",
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
                "If another part is lost, mend that first: this one needs all three.",
                "A document of ten tokens should count five times as much as one of two. Add up nats "
                "and tokens over all documents.",
                "Divide once, after the loop.",
            ),
        ),
    ],
)
