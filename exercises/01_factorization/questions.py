"""Exercises of chapter 1: log-probabilities, windows, counting, entropy, perplexity, memory."""

import math
from types import SimpleNamespace

import torch
from autograder.authoring import Interval, Part, Question, normal


def tokens_of(rng, vocab, *shape):
    return torch.from_numpy(rng.integers(0, vocab, shape))


def batches(rng, scale):
    for batch, time, vocab in [(3, 5, 4), (1, 1, 3), (2, 4, 7)]:
        lengths = torch.from_numpy(rng.integers(1, time + 1, batch))
        lengths[0] = time
        yield {
            "logits": normal(rng, batch, time, vocab, scale=scale),
            "tokens": tokens_of(rng, vocab, batch, time),
            "lengths": lengths,
        }


def full_batches(rng):
    for case in batches(rng, 2.0):
        yield {**case, "lengths": torch.full_like(case["lengths"], case["tokens"].shape[1])}


def ragged_batches(rng):
    for batch, time, vocab in [(4, 6, 5), (3, 2, 4)]:
        lengths = torch.from_numpy(rng.integers(1, time, batch))
        yield {
            "logits": normal(rng, batch, time, vocab, scale=2.0),
            "tokens": tokens_of(rng, vocab, batch, time),
            "lengths": lengths,
        }


def large_batches(rng):
    for case in full_batches(rng):
        yield {**case, "logits": 500 * case["logits"]}


def call_log_prob(student, inputs):
    value = student.sequence_log_prob(inputs["logits"], inputs["tokens"], inputs["lengths"])
    return {"log_prob": value}


def sequence_log_prob(logits, tokens, lengths):
    rows = []
    for n in range(len(tokens)):
        log_probs = torch.log_softmax(logits[n].double(), -1)
        rows.append(sum(log_probs[t, tokens[n, t]] for t in range(int(lengths[n]))))
    return torch.stack(rows)


def short_histories(rng):
    for batch, time, history in [(2, 6, 3), (1, 5, 2), (3, 4, 4)]:
        start = int(rng.integers(10, 20))
        yield {"tokens": tokens_of(rng, 10, batch, time), "history": history, "start": start}


def edge_histories(rng):
    for batch, time, history in [(2, 3, 5), (2, 4, 0), (1, 1, 1), (1, 1, 3)]:
        start = int(rng.integers(10, 20))
        yield {"tokens": tokens_of(rng, 10, batch, time), "history": history, "start": start}


def call_windows(student, inputs):
    return {"windows": student.history_windows(inputs["tokens"], inputs["history"], inputs["start"])}


def history_windows(tokens, history, start):
    batch, time = tokens.shape
    windows = torch.full((batch, time, history), start)
    for t in range(time):
        for i in range(history):
            if t - history + i >= 0:
                windows[:, t, i] = tokens[:, t - history + i]
    return windows


def entropy(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)


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
    for documents, length in ((3, 5), (2, 4)):
        case = corpus(rng, [length] * documents)
        for i, tokens in enumerate(case["documents"]):
            row = case["logits"][i][0]
            row[0] = row[1:].min() - rng.uniform(0.2, 1.5)
            case["logits"][i] = row.repeat(length, 1)
            inner = losses_of(row.expand(length - 1, -1), tokens[1:])
            case["first"][i] = row_with_loss(len(row), tokens[0], (length - 1) * inner[-1] - inner[:-1].sum())
        yield case


def many_documents(rng):
    yield corpus(rng, [2, 12, 5])
    yield corpus(rng, [3, 3, 9, 1])


def call_perplexity(student, inputs):
    value = student.corpus_perplexity(inputs["documents"], inputs["logits"], inputs["first"])
    return {"perplexity": float(value)}


def corpus_perplexity(documents, logits, first):
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        for t, token in enumerate(tokens):
            scores = (begin if t == 0 else after[t - 1]).double()
            nats -= float(torch.log_softmax(scores, -1)[token])
            count += 1
    return math.exp(nats / count)


def give_losses(student, inputs):
    return {f"loss of order {n}": float(loss) for n, loss in enumerate(student.losses, start=1)}


def give_source(student, inputs):
    return {"source": float(student.source)}


def give_differences(student, inputs):
    return {
        "losses": [float(v) for v in student.losses],
        "source": float(student.source),
        "gained": [float(v) for v in student.gained],
        "excess": float(student.excess),
    }


def measured_losses(inputs):
    middle = (4.64, 2.00, 1.50, 1.40, 1.405)
    return {f"loss of order {n}": Interval(v - 0.02, v + 0.02) for n, v in enumerate(middle, start=1)}


def measured_source(inputs):
    return {"source": Interval(0.893, 0.907)}


def agree(inputs, outputs):
    losses, gained = list(outputs["losses"]), list(outputs["gained"])
    if len(losses) != 5 or len(gained) != 4:
        return "losses needs five numbers and gained four"
    for n in range(4):
        if abs(losses[n] - losses[n + 1] - gained[n]) > 2e-3:
            return f"gained[{n}] is not the loss of order {n + 1} minus the loss of order {n + 2}"
    if abs(min(losses) - outputs["source"] - outputs["excess"]) > 2e-3:
        return "excess is not the least of the losses minus the source's"
    return None


QUESTIONS = [
    Question(
        id="01.1",
        title="The log-probability of a batch",
        kind="implement",
        difficulty=2,
        minutes=15,
        hint="log_softmax first, then pick one entry a token (gather), then set what lies "
        "beyond a row's length to zero, then sum.",
        reference={"sequence_log_prob": sequence_log_prob},
        parts=[
            Part(
                "values",
                2,
                "the log-probabilities of the tokens are added along each row",
                call_log_prob,
                inputs=full_batches,
            ),
            Part(
                "lengths",
                1,
                "what lies beyond a row's length does not count",
                call_log_prob,
                inputs=ragged_batches,
            ),
            Part(
                "large logits",
                1,
                "logits of a thousand give a finite answer",
                call_log_prob,
                inputs=large_batches,
                atol=1e-2,
            ),
        ],
    ),
    Question(
        id="01.2",
        title="Windows with start tokens",
        kind="implement",
        difficulty=2,
        minutes=15,
        hint="Pad in front with `history` start tokens: then the window of x_t begins at "
        "place t of the padded sequence.",
        reference={"history_windows": history_windows},
        parts=[
            Part(
                "windows",
                3,
                "each token's window holds the tokens before it",
                call_windows,
                inputs=short_histories,
            ),
            Part(
                "edges",
                1,
                "a history of zero, of one, or longer than the sequence",
                call_windows,
                inputs=edge_histories,
            ),
        ],
    ),
    Question(
        id="01.3",
        title="How many numbers",
        kind="derive",
        difficulty=2,
        minutes=15,
        hint="A distribution over V tokens has V - 1 free numbers. Count the distributions, then multiply.",
        reference={"table": 4**6 - 1, "history": 63, "chain": 4**6 - 1},
        parts=[
            Part("table", 1, "the free numbers of the joint table", reads=("table",)),
            Part("history", 1, "the free numbers of the estimator with a memory of two", reads=("history",)),
            Part("chain", 1, "the free numbers of all conditionals", reads=("chain",)),
        ],
    ),
    Question(
        id="01.4",
        title="The best possible loss",
        kind="derive",
        difficulty=3,
        minutes=20,
        hint="How often is the source in a, in the long run? What flows out of a must flow "
        "in. Then average the entropies of the two next-token distributions.",
        reference={
            "rate": 0.8 * entropy(0.1) + 0.2 * entropy(0.4),
            "perplexity": math.exp(0.8 * entropy(0.1) + 0.2 * entropy(0.4)),
            "memoryless": entropy(0.8),
        },
        parts=[
            Part("rate", 2, "the entropy rate in nats", reads=("rate",)),
            Part("perplexity", 1, "the perplexity of the source", reads=("perplexity",)),
            Part("memoryless", 1, "the best loss without a memory", reads=("memoryless",)),
        ],
    ),
    Question(
        id="01.5",
        title="Repair a perplexity",
        kind="repair",
        difficulty=3,
        minutes=20,
        hint="Which logits predict the second token? Which token is never scored? And is the "
        "mean of exponentials the exponential of the mean?",
        reference={"corpus_perplexity": corpus_perplexity},
        parts=[
            Part(
                "logits",
                1,
                "each token is scored by the logits before it",
                call_perplexity,
                inputs=ends_like_the_rest,
            ),
            Part("end token", 1, "the end token is scored as well", call_perplexity, inputs=equal_logits),
            Part(
                "one mean",
                1,
                "the exponential is taken once, of the mean (documents of one length)",
                call_perplexity,
                inputs=equal_lengths,
            ),
            Part(
                "corpus",
                1,
                "every token of the corpus weighs the same, all mended together",
                call_perplexity,
                inputs=many_documents,
            ),
        ],
    ),
    Question(
        id="01.6",
        title="Measure a memory",
        kind="experiment",
        difficulty=3,
        minutes=25,
        hint="Divide by the number of test tokens, test.shape[1], which counts the end "
        "tokens, for the models and for the source alike.",
        reference=vars(
            SimpleNamespace(
                losses=[4.6376, 1.9983, 1.4980, 1.4011, 1.4052],
                source=0.9000,
                gained=[2.6393, 0.5003, 0.0969, -0.0041],
                excess=0.5011,
            )
        ),
        parts=[
            Part("losses", 2, "the test loss of each order", give_losses, expected=measured_losses),
            Part("source", 1, "the source's loss on the same text", give_source, expected=measured_source),
            Part(
                "consistency",
                2,
                "gains and excess follow from the losses",
                give_differences,
                compare=(),
                properties=(agree,),
            ),
        ],
    ),
]
