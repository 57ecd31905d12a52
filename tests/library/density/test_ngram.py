"""Kneser-Ney by sorting is Kneser-Ney by counting, sums to one, and reads no further than its document."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
import torch

from transformer_lib.density.ngram import KneserNey

V = 4


def random_stream(n, vocab_size=V, seed=0):
    return np.random.default_rng(seed).integers(0, vocab_size, n)


def fitted(order=3, n=300, vocab_size=V, seed=0):
    return KneserNey(order, vocab_size).fit(random_stream(n, vocab_size, seed))


class SlowKneserNey:
    """The definition, with a dictionary for each order."""

    def __init__(self, order, vocab_size, stream, start=0):
        self.order, self.vocab_size = order, vocab_size
        occurrences = [Counter() for _ in range(order + 1)]
        documents, document = [], [start]
        for token in stream:
            document.append(int(token))
            if token == start:
                documents.append(document)
                document = [start]
        documents.append(document)
        for document in documents:
            for n in range(1, order + 1):
                for end in range(max(n, 2), len(document) + 1):
                    occurrences[n][tuple(document[end - n : end])] += 1
        self.counts = [Counter() for _ in range(order + 1)]
        for n in range(1, order + 1):
            for gram, count in occurrences[n].items():
                starts_a_document = n > 1 and gram[0] == start
                if n == order or starts_a_document:
                    self.counts[n][gram] = count
                else:
                    self.counts[n][gram] = sum(longer[1:] == gram for longer in occurrences[n + 1])
        self.discounts = [0.5]
        for n in range(1, order + 1):
            of_counts = Counter(self.counts[n].values())
            self.discounts.append(of_counts[1] / (of_counts[1] + 2 * of_counts[2]) if of_counts[1] else 0.5)
        self.after = [defaultdict(list) for _ in range(order + 1)]
        for n in range(1, order + 1):
            for gram, count in self.counts[n].items():
                self.after[n][gram[:-1]].append(count)

    def probability(self, token, history):
        lower = self.probability(token, history[1:]) if history else 1 / self.vocab_size
        n = len(history) + 1
        after = self.after[n][history]
        if not after:
            return lower
        discount, total = self.discounts[n], sum(after)
        own = max(self.counts[n][(*history, token)] - discount, 0) / total
        return own + discount * len(after) / total * lower


def slow_history(read, order, start=0):
    """The latest order - 1 tokens read, and no further back than the latest start token."""
    latest = max((t for t, token in enumerate(read) if token == start), default=0)
    return tuple(read[latest:][-(order - 1) :] if order > 1 else ())


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("n", [1, 2, 40])
def test_sorting_gives_the_definition_s_probabilities(order, n):
    stream = random_stream(n)
    fast, slow = KneserNey(order, V).fit(stream), SlowKneserNey(order, V, stream)
    np.testing.assert_allclose(fast.discounts, slow.discounts[1:])
    x = random_stream(60, seed=1).tolist()
    scores = fast.conditional_log_probs(torch.tensor([x]))[0].exp()
    for t in range(len(x)):
        read = [0, *x[:t]]
        history = slow_history(read, order)
        expected = [slow.probability(token, history) for token in range(V)]
        np.testing.assert_allclose(fast.distribution(np.array(read)), expected, rtol=1e-12)
        assert scores[t].item() == pytest.approx(expected[x[t]], rel=1e-12)


def test_a_bigram_worked_by_hand():
    """Documents "1 2" and "1 1" have the bigrams 01 twice and 12, 20, 11, 10 once, so D_2 = 4 / (4 + 2).

    Before 0 stand {2, 1}, before 1 {0, 1}, before 2 {1}: 5 different bigrams, so D_1 = 1 / (1 + 4).
    """
    model = KneserNey(2, 3).fit(np.array([1, 2, 0, 1, 1, 0]))
    assert model.discounts == pytest.approx([1 / 5, 2 / 3])
    unigram = [(count - 1 / 5) / 5 + 3 / 5 * 1 / 5 * 1 / 3 for count in (2, 2, 1)]
    after_one = [(1 - 2 / 3) / 3 + 2 / 3 * unigram[token] for token in range(3)]
    np.testing.assert_allclose(model.distribution(np.array([0, 1])), after_one)
    after_start = [(2 - 2 / 3) / 2 * (token == 1) + 1 / 3 * unigram[token] for token in range(3)]
    np.testing.assert_allclose(model.distribution(np.array([0])), after_start)


@pytest.mark.parametrize("order", [1, 2, 4, 6])
def test_every_distribution_sums_to_one_and_excludes_no_token(order):
    model = fitted(order, n=500, vocab_size=30)
    contexts = torch.from_numpy(random_stream(400, 30, seed=1)).reshape(20, 20)
    probabilities = model.logits(contexts).exp()
    torch.testing.assert_close(probabilities.sum(-1), torch.ones(20, 20).double(), atol=1e-12, rtol=0)
    assert (probabilities > 0).all()


def test_logits_steps_distributions_and_scores_agree():
    model = fitted(order=4)
    x = torch.from_numpy(random_stream(24, seed=2)).reshape(2, 12)
    inputs = torch.cat([torch.zeros(2, 1, dtype=torch.long), x[:, :-1]], dim=1)
    logits = model.logits(inputs)
    scores = model.conditional_log_probs(x)
    torch.testing.assert_close(logits.gather(2, x[..., None])[..., 0], scores)
    torch.testing.assert_close(model.conditional_log_probs(x, stride=3), scores)
    state = model.init_state(2)
    for t in range(12):
        stepped, state = model.step(inputs[:, t], state)
        torch.testing.assert_close(stepped, logits[:, t])
        np.testing.assert_allclose(model.distribution(inputs[1, : t + 1]), logits[1, t].exp(), rtol=1e-12)


def test_a_document_has_the_same_probability_alone_and_in_a_stream():
    model = fitted(order=5, n=1000)
    first, second = [1, 3, 2, 2, 0], [2, 2, 3, 1, 0]
    stream = model.conditional_log_probs(torch.tensor([first + second]))[0]
    alone = model.conditional_log_probs(torch.tensor([first, second])).flatten()
    torch.testing.assert_close(stream, alone)


def test_longer_histories_predict_better_what_depends_on_them():
    """Each document repeats its first token at its end: three tokens back, out of a trigram's sight."""
    rng = np.random.default_rng(0)
    names = rng.integers(1, 4, 3000)
    stream = np.stack([names, np.full(3000, 4), rng.integers(5, 7, 3000), names, np.zeros(3000, np.int64)], 1)
    train, held_out = stream[:2500].reshape(-1), torch.from_numpy(stream[2500:].reshape(1, -1))
    nats = [-KneserNey(order, 7).fit(train).log_prob(held_out).item() / 500 for order in (3, 4)]
    assert nats[0] == pytest.approx(math.log(3) + math.log(2) + math.log(3), rel=0.02)
    assert nats[1] == pytest.approx(math.log(3) + math.log(2), rel=0.02)


def test_any_token_may_end_the_documents():
    stream = random_stream(200)
    renamed = KneserNey(3, V, start_token=3).fit((stream + 3) % V)
    original = KneserNey(3, V).fit(stream)
    x = torch.from_numpy(random_stream(50, seed=1))[None]
    torch.testing.assert_close(renamed.log_prob((x + 3) % V), original.log_prob(x))


def test_a_vocabulary_of_one_token_is_certain():
    certain = KneserNey(3, 1).fit(np.zeros(5, np.int64))
    assert certain.log_prob(torch.zeros(1, 4, dtype=torch.long)).item() == pytest.approx(0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: KneserNey(0, 3), "order must be at least 1; got 0"),
        (
            lambda: KneserNey(2, 3, start_token=3),
            "start_token must be a token, a whole number from 0 to 2, got 3",
        ),
        (lambda: KneserNey(2, 3).fit(np.array([0, 1, 3])), "token 3 at batch 0, time 2"),
        (lambda: KneserNey(2, 3).fit(np.array([], np.int64)), "empty stream"),
        (lambda: KneserNey(2, 3).log_prob(torch.tensor([[1]])), r"call fit\(tokens\) first"),
        (lambda: fitted().log_prob(torch.tensor([[0, V]])), "token 4 at batch 0, time 1"),
        (lambda: fitted().distribution(np.array([-1])), "token -1"),
        (lambda: fitted().distribution(np.array([], np.int64)), "at least the start token, 0"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_words(call, message):
    with pytest.raises(ValueError, match=message):
        call()
