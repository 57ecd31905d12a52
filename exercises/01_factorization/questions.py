"""Exercises of chapter 1: log-probabilities, windows, counting, entropy, perplexity, memory."""

import math

import numpy as np
import torch
from autograder.authoring import Part, Question, normal


def tokens_of(rng, vocab, *shape):
    return torch.from_numpy(rng.integers(0, vocab, shape))


def full_batches(rng):
    for batch, time, vocab in [(3, 5, 4), (1, 6, 3), (1, 1, 3), (4, 1, 5), (3, 5, 4), (2, 130, 3)]:
        yield {
            "logits": normal(rng, batch, time, vocab, scale=2.0),
            "tokens": tokens_of(rng, vocab, batch, time),
            "lengths": torch.full((batch,), time),
        }


def ragged_batches(rng):
    for batch, time, vocab in [(4, 6, 5), (3, 2, 4), (4, 6, 5), (3, 130, 3)]:
        lengths = torch.from_numpy(rng.integers(1, time, batch))
        lengths[-1] = 0
        yield {
            "logits": normal(rng, batch, time, vocab, scale=2.0),
            "tokens": tokens_of(rng, vocab, batch, time),
            "lengths": lengths,
        }


def large_batches(rng):
    """Logits of thousands, of both signs at once; filling that is certain, so that it makes no difference."""
    for batch, time, vocab, ragged in [(3, 5, 4, False), (2, 4, 7, False), (4, 6, 5, True)]:
        logits = normal(rng, batch, time, vocab, scale=300.0)
        signs = torch.from_numpy(rng.choice([-1.0, 1.0], (batch, time, 1)))
        logits += (signs * torch.from_numpy(rng.uniform(1500, 3000, (batch, time, 1)))).float()
        tokens = tokens_of(rng, vocab, batch, time)
        tokens[:, 0] = logits[:, 0].argmin(-1)
        lengths = torch.full((batch,), time)
        if ragged:
            lengths = torch.from_numpy(rng.permutation(time - 1)[:2]).repeat_interleave(2) + 1
            filling = torch.arange(time) >= lengths[:, None]
            logits[filling, tokens[filling]] += 6000
        yield {"logits": logits, "tokens": tokens, "lengths": lengths}


def batches_to_train_on(rng):
    """Ragged batches, or full ones; in the filling, tokens that are as good as impossible."""
    for batch, time, vocab, shortest in [(3, 5, 4, 5), (4, 6, 5, 0), (3, 1, 4, 0), (2, 130, 3, 1)]:
        lengths = torch.from_numpy(rng.integers(shortest, time + 1, batch))
        lengths[0], lengths[-1] = time, shortest
        logits = normal(rng, batch, time, vocab, scale=2.0)
        filling = torch.arange(time) >= lengths[:, None]
        logits[filling] *= 500
        tokens = tokens_of(rng, vocab, batch, time)
        tokens[filling] = logits[filling].argmin(-1)
        yield {
            "logits": logits,
            "tokens": tokens,
            "lengths": lengths,
            "upstream": normal(rng, batch),
        }


def call_log_prob(student, inputs):
    value = student.sequence_log_prob(inputs["logits"], inputs["tokens"], inputs["lengths"])
    return {"log_prob": value}


def call_without_filling(student, inputs):
    """Each row of the batch beside the same row by itself, cut to its length: no unit and no sign matters.

    Of a row of length 0 it only says whether it is 0.
    """
    logits, tokens, lengths = inputs["logits"], inputs["tokens"], inputs["lengths"]
    rows = torch.as_tensor(student.sequence_log_prob(logits, tokens, lengths)).detach()
    if rows.shape != lengths.shape:
        return {"shape": list(rows.shape)}
    alone = []
    for n, length in enumerate(lengths.tolist()):
        one = slice(n, n + 1)
        value = rows.new_ones(())
        if length:
            value = student.sequence_log_prob(logits[one, :length], tokens[one, :length], lengths[one])
        alone.append(torch.as_tensor(value).detach().reshape(()))
    return {
        "shape": list(rows.shape),
        "log_prob with filling / without": torch.where(lengths > 0, rows / torch.stack(alone), 1.0),
        "rows of length 0 are 0": bool((rows[lengths == 0] == 0).all()),
        "the rows differ": len({f"{value:.4g}" for value in rows.tolist()}) == len(rows),
    }


def call_ratios(student, inputs):
    """The rows over the first that is as long: no unit and no sign matters."""
    lengths = inputs["lengths"].tolist()
    rows = torch.as_tensor(
        student.sequence_log_prob(inputs["logits"], inputs["tokens"], inputs["lengths"])
    ).detach()
    if rows.shape != inputs["lengths"].shape:
        return {"shape": list(rows.shape)}
    firsts = [lengths.index(length) for length in lengths]
    return {"shape": list(rows.shape), "each row over the first that is as long": rows / rows[firsts]}


def call_gradient(student, inputs):
    logits = inputs["logits"].clone().requires_grad_()
    rows = torch.as_tensor(student.sequence_log_prob(logits, inputs["tokens"], inputs["lengths"]))
    if rows.requires_grad:
        (rows * inputs["upstream"]).sum().backward()
    return {"gradient": torch.zeros_like(logits) if logits.grad is None else logits.grad}


def sequence_log_prob(logits, tokens, lengths):
    log_probs = torch.log_softmax(logits.double(), -1).gather(2, tokens[..., None])[..., 0]
    return torch.where(torch.arange(tokens.shape[1]) < lengths[:, None], log_probs, 0.0).sum(1)


def short_histories(rng):
    start = int(rng.integers(10, 20))
    for batch, time, history in [(2, 6, 3), (1, 5, 2), (3, 5, 4), (2, 6, 3), (3, 1, 1)]:
        yield {"tokens": tokens_of(rng, 10, batch, time), "history": history, "start": start}
    yield {"tokens": 1 + tokens_of(rng, 9, 2, 4), "history": 2, "start": 0}
    yield {"tokens": tokens_of(rng, 50_000, 2, 130), "history": 3, "start": 50_000 + start}


def edge_histories(rng):
    for batch, time, history in [(2, 3, 5), (2, 4, 0), (1, 1, 1), (1, 1, 3), (3, 1, 2), (2, 3, 130)]:
        start = int(rng.integers(10, 20))
        yield {"tokens": tokens_of(rng, 10, batch, time), "history": history, "start": start}


def call_windows(student, inputs):
    windows = student.history_windows(inputs["tokens"], inputs["history"], inputs["start"])
    # an embedding takes whole numbers only
    return {"windows": windows, "floating point": torch.as_tensor(windows).is_floating_point()}


def call_full_windows(student, inputs):
    """The windows that need no start token, without their order."""
    windows = torch.as_tensor(student.history_windows(inputs["tokens"], inputs["history"], inputs["start"]))
    if windows.shape != (*inputs["tokens"].shape, inputs["history"]):
        return {"shape": list(windows.shape)}
    full = windows[:, inputs["history"] :]
    return {"shape": list(windows.shape), "full windows, sorted": full.sort(-1).values}


def call_starts(student, inputs):
    windows = torch.as_tensor(student.history_windows(inputs["tokens"], inputs["history"], inputs["start"]))
    if windows.shape != (*inputs["tokens"].shape, inputs["history"]):
        return {"shape": list(windows.shape)}
    return {"shape": list(windows.shape), "start tokens in each window": (windows == inputs["start"]).sum(-1)}


def call_sorted_windows(student, inputs):
    windows = torch.as_tensor(student.history_windows(inputs["tokens"], inputs["history"], inputs["start"]))
    return {"windows, sorted": windows.sort(-1).values if windows.ndim else windows}


def history_windows(tokens, history, start):
    batch, time = tokens.shape
    padded = torch.cat([torch.full((batch, history), start), tokens], 1)
    return padded[:, torch.arange(time)[:, None] + torch.arange(history)]


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


def texts(rng, sizes, memory=1.0):
    """Texts with windows, and the weights of a model; without memory it always predicts the same."""
    for time, context, stride in sizes:
        vocab, width = int(rng.integers(4, 7)), 3
        yield {
            "tokens": tokens_of(rng, vocab, time),
            "start": vocab,
            "context": context,
            "stride": stride,
            "embedding": normal(rng, vocab + 1, width, scale=1.5),
            "unembedding": memory * normal(rng, width, vocab),
            "bias": normal(rng, vocab),
        }


def texts_without_memory(rng):
    yield from texts(rng, [(13, 5, 2), (11, 4, 4), (10, 6, 4), (9, 3, 1)], memory=0.0)


def texts_in_one_window(rng):
    yield from texts(rng, [(5, 8, 3), (6, 6, 2), (1, 4, 4), (1, 1, 1)])


def texts_in_disjoint_windows(rng):
    yield from texts(rng, [(12, 4, 4), (11, 4, 4), (5, 1, 1)])


def texts_in_windows(rng):
    yield from texts(rng, [(13, 5, 2), (9, 4, 1), (10, 6, 4), (7, 6, 5)])


def long_texts(rng):
    yield from texts(rng, [(211, 16, 10), (150, 12, 4)])
    for case in texts(rng, [(115, 16, 10)]):
        common = normal(rng, 3, 1, scale=400.0)
        yield {**case, "unembedding": common + 15 * case["unembedding"]}


def call_score_windows(student, inputs):
    shapes = []

    def model(tokens):
        shapes.append(tokens.shape)
        ages = torch.arange(tokens.shape[1])[:, None] - torch.arange(tokens.shape[1])
        decay = torch.where(ages >= 0, 0.8 ** ages.double().clamp(min=0), 0.0)
        embedding, unembedding = inputs["embedding"].double(), inputs["unembedding"].double()
        return (inputs["bias"] + decay @ embedding[tokens] @ unembedding).float()

    names = ("tokens", "start", "context", "stride")
    scores = student.score_windows(model, *(inputs[name] for name in names))
    longest = max((shape[-1] for shape in shapes), default=0)
    return {"scores": scores, "calls": len(shapes), "longest": longest}


def score_windows(model, tokens, start, context, stride):
    read = torch.cat([torch.tensor([start]), tokens[:-1]])
    scores, begin, scored = [], 0, 0
    while scored < len(tokens):
        end = min(begin + context, len(tokens))
        log_probs = torch.log_softmax(model(read[None, begin:end])[0].double(), -1)
        scores.append(sum(log_probs[i - begin, tokens[i]] for i in range(scored, end)))
        begin, scored = begin + stride, end
    return torch.stack(scores)


def one_batch(inputs, outputs):
    if outputs["calls"] != 1:
        return f"the model was called {outputs['calls']} times; all windows fit into one batch"
    if outputs["longest"] > inputs["context"]:
        return f"the model had to read {outputs['longest']} tokens at once; it reads {inputs['context']}"
    return None


def small_texts(rng):
    """Texts with an end token 0, and how far each order of a made-up model falls short of the best one."""
    for n_train, n_stories, best in [(40, 3, 2), (25, 1, 1), (60, 6, 3), (30, 2, 4)]:
        levels = 1.0 + 0.15 * np.abs(np.arange(5) - best) + rng.uniform(0.0, 0.1, 5) * (np.arange(5) != best)
        if best == 4:  # a higher order may be better after one that is worse
            levels[0] = levels[2]
        lengths = rng.integers(2, 6, n_stories)
        test = [token for n in lengths for token in (*rng.integers(1, 5, n).tolist(), 0)]
        yield {
            "train": tokens_of(rng, 5, n_train),
            "test": torch.tensor([test]),
            "story_log_probs": (-rng.uniform(1.0, 3.0, n_stories) * (lengths + 1)).tolist(),
            "levels": levels.tolist(),
        }


def call_measure(student, inputs):
    """The models count single tokens; a level for each order makes them better or worse."""

    class Model:
        def __init__(self, order, text):
            counts = 1.0 + torch.bincount(torch.as_tensor(text).reshape(-1), minlength=5).double()
            self.log_probs = inputs["levels"][order - 1] * (counts / counts.sum()).log()

        def conditional_log_probs(self, x):
            return self.log_probs[x]

    names = ("train", "test", "story_log_probs")
    return dict(student.measure(Model, *(inputs[name] for name in names)))


def call_differences(student, inputs):
    """The differences, beside the student's own losses; other models must give other losses."""

    class Model:
        def __init__(self, order, text):
            counts = 1.0 + torch.bincount(torch.as_tensor(text).reshape(-1), minlength=5).double()
            self.log_probs = levels[order - 1] * (counts / counts.sum()).log()

        def conditional_log_probs(self, x):
            return self.log_probs[x]

    arguments = [inputs[name] for name in ("train", "test", "story_log_probs")]
    levels = [2 * level for level in inputs["levels"]]
    other = torch.as_tensor(student.measure(Model, *arguments)["losses"])
    levels = inputs["levels"]
    found = student.measure(Model, *arguments)
    losses, gained = (torch.as_tensor(found[name]).double() for name in ("losses", "gained"))
    return {
        "losses depend on the models": bool((other != losses).any()),
        "losses": losses,
        "source": found["source"],
        "gained": gained,
        "excess": found["excess"],
    }


def differences_agree(inputs, outputs):
    """The student's own losses: what is wrong with these does not matter."""
    losses, gained = outputs["losses"], outputs["gained"]
    if losses.shape != (5,) or gained.shape != (4,):
        return "losses needs five numbers and gained four"
    for n in range(4):
        if not abs(losses[n] - losses[n + 1] - gained[n]) <= 1e-3 * abs(losses[n] - losses[n + 1]):
            return f"gained[{n}] is not the loss of order {n + 1} minus the loss of order {n + 2}"
    excess = min(losses) - outputs["source"]
    if not abs(excess - outputs["excess"]) <= 1e-3 * abs(excess) + 1e-6:
        return "excess is not the least of the losses minus the source's"
    return None


def measure(fit, train, test, story_log_probs):
    models = [fit(order, train) for order in range(1, 6)]
    losses = [-float(model.conditional_log_probs(test).double().mean()) for model in models]
    source = -math.fsum(story_log_probs) / test.shape[1]
    gained = [losses[n] - losses[n + 1] for n in range(4)]
    return {"losses": losses, "source": source, "gained": gained, "excess": min(losses) - source}


def give_reported_losses(student, inputs):
    losses = student.report["losses"]
    return {"losses": ... if any(loss is ... for loss in losses) else losses}


def give_reported_source(student, inputs):
    return {name: student.report[name] for name in ("source", "excess")}


QUESTIONS = [
    Question(
        id="01.1",
        title="The log-probability of a batch",
        kind="implement",
        difficulty=2,
        minutes=15,
        reference={"sequence_log_prob": sequence_log_prob},
        parts=[
            Part(
                "values",
                1,
                "the log-probabilities of the tokens are added along each row",
                call_log_prob,
                inputs=full_batches,
                hints=(
                    "Compute one row of two tokens by hand: logits to probabilities, their logarithms, the "
                    "sum. Which step differs?",
                    "Over which dimension do the probabilities of one place add up to 1?",
                    "The answer is a sum of logarithms: natural ones, not their mean, and never positive.",
                ),
            ),
            Part(
                "lengths",
                1,
                "what lies beyond a row's length does not count",
                call_without_filling,
                inputs=ragged_batches,
                hints=(
                    "Change the tokens beyond a row's length. Does the answer change?",
                    "Row n has lengths[n] tokens, at the places 0 to lengths[n] - 1; that may be none.",
                    "Set the terms of all other places to zero before you add.",
                ),
            ),
            Part(
                "large logits",
                1,
                "logits of thousands, of both signs, give finite answers in the right ratio",
                call_ratios,
                inputs=large_batches,
                hints=(
                    "What is exp(1000) in floating point, and what is the logarithm of a probability that "
                    "became 0?",
                    "Do not compute the probability first: log softmax of z is z minus the log of the sum "
                    "of the exponentials.",
                    "What is subtracted before the exponential belongs to one place: another place of the "
                    "batch may lie thousands below.",
                    "PyTorch has the softmax and its logarithm in one function.",
                ),
            ),
            Part(
                "gradients",
                1,
                "gradients flow back to the logits, and those of the filling are zero",
                call_gradient,
                inputs=batches_to_train_on,
                hints=(
                    "Call backward on your answer, each row times a number of its own. What is logits.grad?",
                    "A gradient ends where a tensor is detached, becomes a NumPy array, or becomes a plain "
                    "number.",
                    "Filling that counts has a gradient. So has filling whose logarithm was infinite before "
                    "it was replaced: zero times infinity is NaN.",
                ),
            ),
        ],
    ),
    Question(
        id="01.2",
        title="Windows with start tokens",
        kind="implement",
        difficulty=2,
        minutes=15,
        reference={"history_windows": history_windows},
        parts=[
            Part(
                "tokens",
                1,
                "a window that needs no start token holds the tokens before its own, in any order",
                call_full_windows,
                inputs=short_histories,
                hints=(
                    "Take the tokens 1, 2, 3, 4, 5 and a history of 2, and write down the window of the "
                    "fourth.",
                    "x_t itself is what the window predicts: it must not be in it.",
                    "In a sequence padded in front with `history` tokens, x_t stands at t + history. Where "
                    "does its window begin and end?",
                ),
            ),
            Part(
                "start",
                1,
                "the first windows are filled up with start tokens",
                call_starts,
                inputs=short_histories,
                hints=(
                    "How many tokens are there before the first one, and so how many start tokens are in "
                    "its window?",
                    "The window of x_t (t from 0) holds t tokens of the sequence as long as t is less than "
                    "`history`.",
                    "What fills it up is the argument `start`, which is no token of the sequence.",
                ),
            ),
            Part(
                "windows",
                1,
                "each window in order, the oldest token first",
                call_windows,
                inputs=short_histories,
                hints=(
                    "Compare one window with the sequence: which token is its last?",
                    "The oldest token comes first, so start tokens stand in front.",
                ),
            ),
            Part(
                "edges",
                1,
                "a history of zero, of one, or longer than the sequence (in any order)",
                call_sorted_windows,
                inputs=edge_histories,
                hints=(
                    "Print the shape for history = 0 and for a history longer than the sequence. It should "
                    "be (batch, time, history) always.",
                    "Pad with as many start tokens as the history is long, whatever the length of the "
                    "sequence.",
                ),
            ),
        ],
    ),
    Question(
        id="01.3",
        title="How many numbers",
        kind="derive",
        difficulty=2,
        minutes=15,
        reference={"table": 4**6 - 1, "distributions": 21, "history": 63, "chain": 4**6 - 1},
        exempt={"equal answers": "that the chain has as many free numbers as the table is the point"},
        parts=[
            Part(
                "table",
                1,
                "the free numbers of the joint table",
                reads=("table",),
                hints=(
                    "The table has one entry for each sequence. How many sequences are there?",
                    "All entries add up to 1, so one of them follows from the others.",
                ),
            ),
            Part(
                "distributions",
                1,
                "the distributions of the estimator with a memory of two",
                reads=("distributions",),
                hints=(
                    "One distribution for the first token. How many contexts has the second, and how many "
                    "the third?",
                    "The third token and all later ones share theirs: one for each pair.",
                ),
            ),
            Part(
                "history",
                1,
                "the free numbers of the estimator with a memory of two",
                reads=("history",),
                hints=(
                    "How many numbers of one distribution over four tokens are free?",
                    "Multiply the number of distributions by that.",
                ),
            ),
            Part(
                "chain",
                1,
                "the free numbers of all conditionals",
                reads=("chain",),
                hints=(
                    "How many different pasts are there before x_1, before x_2, ..., before x_6?",
                    "Add these up, and multiply by the free numbers of one distribution.",
                ),
            ),
        ],
    ),
    Question(
        id="01.4",
        title="The best possible loss",
        kind="derive",
        difficulty=3,
        minutes=20,
        reference={
            "after_a": entropy(0.1),
            "share": 0.8,
            "rate": 0.8 * entropy(0.1) + 0.2 * entropy(0.4),
            "perplexity": math.exp(0.8 * entropy(0.1) + 0.2 * entropy(0.4)),
            "memoryless": entropy(0.8),
        },
        parts=[
            Part(
                "after_a",
                1,
                "the surprisal that a reader expects after an a",
                reads=("after_a",),
                hints=(
                    "After an a there are two possibilities, with probabilities 0.1 and 0.9. What is the "
                    "surprisal of each?",
                    "Weigh each surprisal, -ln p, with the probability that it occurs.",
                    "Nats belong to the natural logarithm.",
                ),
            ),
            Part(
                "share",
                1,
                "the share of a's in the long run",
                reads=("share",),
                hints=(
                    "In the long run as many steps lead from a to b as from b to a.",
                    "If a share of all tokens is a, which share of all steps leads from a to b?",
                ),
            ),
            Part(
                "rate",
                2,
                "the entropy rate in nats",
                reads=("rate",),
                hints=(
                    "The next token's entropy is one number after an a and another after a b. How often "
                    "does each count?",
                    "Weigh the two entropies with the shares of a and b.",
                ),
            ),
            Part(
                "perplexity",
                1,
                "the perplexity of the source",
                reads=("perplexity",),
                hints=(
                    "Perplexity is an exponential of the entropy rate. With which base, if the rate is in "
                    "nats?",
                    "It lies between 1 and 2 here, for there are two tokens.",
                ),
            ),
            Part(
                "memoryless",
                1,
                "the best loss without a memory",
                reads=("memoryless",),
                hints=(
                    "A model that forgets everything predicts a with one fixed probability. Which one is "
                    "best?",
                    "The best is the share of a's: what is the expected -ln p then?",
                ),
            ),
        ],
    ),
    Question(
        id="01.5",
        title="Repair a perplexity",
        kind="repair",
        difficulty=3,
        minutes=20,
        reference={"corpus_perplexity": corpus_perplexity},
        parts=[
            Part(
                "logits",
                1,
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
    ),
    Question(
        id="01.6",
        title="Measure a memory",
        kind="experiment",
        difficulty=3,
        minutes=25,
        reference={
            "measure": measure,
            "report": {
                "losses": [4.637563, 1.998272, 1.497975, 1.401089, 1.405213],
                "source": 0.899971,
                "excess": 0.501119,
            },
        },
        exempt={
            "several in the batch, of one": "a story of one token has nothing but its end",
            "more than a hundred": "the reported run has thousands of tokens",
        },
        parts=[
            Part(
                "losses",
                1,
                "on small texts: the test loss of each order",
                call_measure,
                inputs=small_texts,
                compare=("losses",),
                hints=(
                    "Which text does a model count, and on which is it measured?",
                    "conditional_log_probs gives one number per token. A loss per token is their mean, with "
                    "which sign?",
                    "range(1, 6) gives the orders 1 to 5.",
                ),
            ),
            Part(
                "source",
                1,
                "on small texts: the source's loss per token",
                call_measure,
                inputs=small_texts,
                compare=("source",),
                hints=(
                    "Each number of story_log_probs belongs to a whole story. Add them up first.",
                    "Divide by the number of test tokens, end tokens included, as for the models: stories "
                    "of different lengths count for what they hold.",
                ),
            ),
            Part(
                "differences",
                1,
                "on small texts: gains and excess follow from your losses",
                call_differences,
                inputs=small_texts,
                compare=("losses depend on the models",),
                properties=(differences_agree,),
                hints=(
                    "gained[0] is the loss of order 1 minus that of order 2. Is a gain positive when the "
                    "loss falls?",
                    "Which order has the least loss? It need not be the highest. excess is that loss minus "
                    "the source's.",
                ),
            ),
            Part(
                "reported losses",
                1,
                "your run: the five losses on the tales, and `losses` above",
                give_reported_losses,
                conceal=True,
                digits=5,
                requires=("losses",),
                hints=(
                    "Print report in the cell in which you ran `measure`, and compare it with what stands "
                    "in the answer. Are all digits there?",
                    "The tales of the cell above are drawn with seed 1, and that cell prints the loss of "
                    "order 1.",
                    "fit(order, text) should return KneserNey(order, vocab_size).fit(text).",
                ),
            ),
            Part(
                "reported source",
                1,
                "your run: the source's loss and the excess, and `source` and `differences` above",
                give_reported_source,
                conceal=True,
                digits=4,
                requires=("source", "differences"),
                hints=(
                    "story_log_probs needs one number for each story of tales.test, and of no other.",
                    "TALES.log_prob gives the log-probability of a whole story with its end, in nats.",
                ),
            ),
        ],
    ),
    Question(
        id="01.7",
        title="A long text through a short model",
        kind="implement",
        difficulty=4,
        minutes=40,
        reference={"score_windows": score_windows},
        needs=("01.1",),
        parts=[
            Part(
                "coverage",
                1,
                "each token is scored once, by the right window (this model predicts the same everywhere)",
                call_score_windows,
                inputs=texts_without_memory,
                compare=("scores",),
                hints=(
                    "Write down for 7 tokens, context 4 and stride 2 where each window begins and ends.",
                    "How many windows are there? The last is the first one that reaches the end of the text.",
                    "A window scores what no earlier one has scored: all places of the first, and `stride` "
                    "of each "
                    "later one, or fewer at the end.",
                ),
            ),
            Part(
                "one window",
                1,
                "a text that fits into one window",
                call_score_windows,
                inputs=texts_in_one_window,
                compare=("scores",),
                hints=(
                    "The first token of the text is predicted from the start token alone. What does the "
                    "model read?",
                    "The model reads the text moved by one place, with the start token in front and without "
                    "its last token.",
                    "A text may be shorter than the context: then the window is as long as the text.",
                ),
            ),
            Part(
                "disjoint",
                1,
                "windows that do not overlap: the stride is the context",
                call_score_windows,
                inputs=texts_in_disjoint_windows,
                compare=("scores",),
                hints=(
                    "What stands at the beginning of the second window? Not the start token.",
                    "The second window begins with the last token of the text that the first one scored.",
                    "Cut the windows out of the shifted text. What hangs over the end is filled up and does "
                    "not count.",
                ),
            ),
            Part(
                "overlap",
                2,
                "windows that overlap",
                call_score_windows,
                inputs=texts_in_windows,
                compare=("scores",),
                hints=(
                    "The places that a window shares with an earlier one are read again, and not scored "
                    "again.",
                    "The model must read them, though: they are the past of what is scored.",
                    "With sequence_log_prob: the log-probability of a whole window minus that of its first "
                    "places.",
                ),
            ),
            Part(
                "one pass",
                1,
                "hundreds of tokens and logits of thousands, all windows in one call of the model",
                call_score_windows,
                inputs=long_texts,
                atol=3e-3,
                compare=("scores",),
                properties=(one_batch,),
                hints=(
                    "How often is the model called, and with which shape?",
                    "Stack the windows into a tensor (windows, width). A window that hangs over the end "
                    "needs filling.",
                    "A table of places, begins[:, None] + torch.arange(width), cuts all of them out at once.",
                ),
            ),
        ],
        exempt={"no gradient": "it evaluates a model that has been trained"},
    ),
]
