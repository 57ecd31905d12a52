"""Conditionals, windows and samples of any sequence model agree with each other."""

import itertools

import pytest
import torch
from density_cases import all_sequences, assert_samples_follow
from torch import nn

from transformer_lib.checks import check_tokens
from transformer_lib.interfaces import SequenceModel, sample_categorical
from transformer_lib.padding import history_windows, pad_start, shift_right


class Recency(SequenceModel):
    """Logits from a decaying sum of all tokens read: no two histories are the same to it."""

    def __init__(self, vocab_size=3, context_length=None, start_token=0):
        super().__init__()
        self.vocab_size, self.context_length, self.start_token = vocab_size, context_length, start_token
        generator = torch.Generator().manual_seed(0)
        self.rows = nn.Parameter(torch.randn(vocab_size + 1, vocab_size, generator=generator))

    def logits(self, tokens):
        check_tokens(tokens, self.vocab_size + 1, self.context_length)
        read = self.rows[tokens]
        length = tokens.shape[1]
        distance = torch.arange(length)[:, None] - torch.arange(length)
        weights = torch.where(distance >= 0, 0.7**distance, 0.0).to(read.dtype)
        return torch.einsum("ts,bsv->btv", weights, read)


def random_tokens(*shape, vocab_size=3, seed=0):
    return torch.randint(vocab_size, shape, generator=torch.Generator().manual_seed(seed))


def conditional(model, history, token):
    """log p(token | history) with the history read whole, as the chain rule says it."""
    tokens = torch.tensor([[model.start_token, *history]])
    if model.context_length is not None:
        tokens = tokens[:, -model.context_length :]
    return model.logits(tokens)[0, -1].log_softmax(-1)[token]


def test_shifting_right_puts_before_each_token_the_one_to_read():
    x = torch.tensor([[1, 2, 3], [4, 5, 6]])
    assert shift_right(x, 9).tolist() == [[9, 1, 2], [9, 4, 5]]


def test_padding_puts_the_start_tokens_in_front():
    assert pad_start(torch.tensor([[1, 2]]), 9, 3).tolist() == [[9, 9, 9, 1, 2]]


def test_a_window_holds_the_tokens_before_each_time_and_not_the_token_itself():
    windows = history_windows(torch.tensor([[1, 2, 3, 4]]), 2, 9)
    assert windows.tolist() == [[[9, 9], [9, 1], [1, 2], [2, 3]]]


def test_shifting_padding_and_windows_take_empty_sequences_batches_and_histories():
    empty = torch.empty(2, 0, dtype=torch.long)
    assert shift_right(empty, 9).shape == (2, 0)
    assert history_windows(empty, 3, 9).shape == (2, 0, 3)
    assert history_windows(torch.ones(2, 4, dtype=torch.long), 0, 9).shape == (2, 4, 0)
    assert pad_start(torch.ones(0, 4, dtype=torch.long), 9, 2).shape == (0, 6)


def test_a_negative_history_is_refused():
    with pytest.raises(ValueError, match="history must be at least 0; got -1"):
        history_windows(torch.ones(1, 2, dtype=torch.long), -1, 0)


@pytest.mark.parametrize("start_token", [0, 3])
def test_conditionals_are_those_of_each_history_read_alone(start_token):
    model = Recency(start_token=start_token)
    x = random_tokens(2, 6)
    expected = [[conditional(model, row[:t], row[t]).item() for t in range(6)] for row in x.tolist()]
    torch.testing.assert_close(model.conditional_log_probs(x), torch.tensor(expected))
    torch.testing.assert_close(model.log_prob(x), torch.tensor(expected).sum(1))


@pytest.mark.parametrize("context_length", [None, 1, 2])
def test_probabilities_of_all_sequences_sum_to_one(context_length):
    model = Recency(context_length=context_length)
    x = all_sequences(3, 4)
    total = torch.logsumexp(model.conditional_log_probs(x).double().sum(1), 0)
    assert total.item() == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("stride", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("length", [4, 5, 6, 11, 12])
def test_a_long_sequence_is_read_in_windows_each_token_with_the_history_promised(length, stride):
    context = 5
    model = Recency(context_length=context)
    x = random_tokens(2, length)
    scores = model.conditional_log_probs(x, stride=stride)
    inputs = shift_right(x, 0)
    for row, t in itertools.product(range(2), range(length)):
        fewest, most = (t + 1, t + 1) if t < context else (context - stride + 1, context)
        candidates = [
            model.logits(inputs[row : row + 1, t + 1 - seen : t + 1])[0, -1].log_softmax(-1)[x[row, t]]
            for seen in range(fewest, most + 1)
        ]
        assert any(torch.isclose(scores[row, t], candidate, atol=1e-6) for candidate in candidates)


def test_stride_one_gives_every_token_the_longest_history():
    model = Recency(context_length=3)
    x = random_tokens(1, 9)
    expected = [conditional(model, x[0, :t].tolist(), x[0, t]) for t in range(9)]
    torch.testing.assert_close(model.conditional_log_probs(x, stride=1)[0], torch.stack(expected))


def test_the_default_stride_is_half_of_the_context():
    model = Recency(context_length=4)
    x = random_tokens(2, 13)
    scores = model.conditional_log_probs(x)
    torch.testing.assert_close(scores, model.conditional_log_probs(x, stride=2), rtol=0, atol=0)
    assert not torch.allclose(scores, model.conditional_log_probs(x, stride=4))


@pytest.mark.parametrize("stride", [0, 5])
def test_a_stride_beyond_the_context_is_refused(stride):
    with pytest.raises(ValueError, match=f"stride must be a whole number from 1 to 4, got {stride}"):
        Recency(context_length=4).conditional_log_probs(random_tokens(1, 3), stride=stride)


@pytest.mark.parametrize("context_length", [None, 3])
def test_stepping_gives_the_logits_of_reading_the_latest_tokens_at_once(context_length):
    model = Recency(context_length=context_length)
    inputs = random_tokens(2, 7)
    state = model.init_state(2)
    for t in range(7):
        logits, state = model.step(inputs[:, t], state)
        first = 0 if context_length is None else max(0, t + 1 - context_length)
        torch.testing.assert_close(logits, model.logits(inputs[:, first : t + 1])[:, -1])


@pytest.mark.parametrize("context_length", [None, 2])
def test_samples_follow_the_model_s_own_probabilities(context_length):
    model = Recency(context_length=context_length)
    assert_samples_follow(model, 3, log_prob=lambda x: model.conditional_log_probs(x, stride=1).sum(1))


def test_a_vocabulary_of_one_token_is_certain():
    model = Recency(vocab_size=1)
    x = model.sample(2, 4)
    assert x.tolist() == [[0] * 4] * 2
    assert model.log_prob(x).tolist() == [0, 0]


def test_calling_a_sequence_model_gives_its_logits():
    model, x = Recency(), random_tokens(2, 4)
    assert torch.equal(model(x), model.logits(x))


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (torch.tensor([[0, 1], [2, 3]]), "token 3 at batch 1, time 1 is outside the vocabulary 0..2"),
        (torch.tensor([[0, -1]]), "token -1 at batch 0, time 1 is outside the vocabulary 0..2"),
        (torch.tensor([0, 1]), r"two dimensions, \(batch, time\); got the shape \(2,\)"),
        (torch.tensor([[0.0, 1.0]]), "integer type.*got torch.float32"),
        (torch.tensor([[True]]), "integer type.*got torch.bool"),
        (torch.tensor([[1, 0]], dtype=torch.uint8), "signed integer type.*got torch.uint8"),
        (torch.zeros(1, 5, dtype=torch.long), "at most 4 tokens; got 5"),
    ],
)
def test_tokens_that_are_none_are_refused_with_value_place_and_range(tokens, message):
    with pytest.raises(ValueError, match=message):
        check_tokens(tokens, 3, longest=4)


def test_conditionals_refuse_tokens_outside_the_vocabulary():
    with pytest.raises(ValueError, match="token 3 at batch 0, time 1"):
        Recency().conditional_log_probs(torch.tensor([[0, 3]]))


def test_a_token_without_probability_is_never_drawn():
    logits = torch.tensor([[0.0, -torch.inf, 0.0]]).expand(200, 3)
    drawn = sample_categorical(logits, torch.Generator().manual_seed(0))
    assert sorted(set(drawn.tolist())) == [0, 2]


def test_scores_and_samples_of_half_precision_are_those_of_float32():
    model = Recency()
    exact = model.double().log_prob(random_tokens(2, 40))
    model.bfloat16()
    scored = model.log_prob(random_tokens(2, 40))
    assert scored.dtype == torch.float32
    torch.testing.assert_close(scored, exact.float(), rtol=0.02, atol=0)
    flat = torch.zeros(2000, 3, dtype=torch.bfloat16) - torch.tensor([0.0, 0.01, 0.02]).bfloat16()
    draws = [sample_categorical(x, torch.Generator().manual_seed(0)) for x in (flat, flat.float())]
    assert torch.equal(*draws)


def test_samples_are_drawn_without_dropout():
    model = Recency()
    model.dropout = nn.Dropout(0.9)
    seen = []
    model.dropout.register_forward_hook(lambda module, *_: seen.append(module.training))
    logits = model.logits
    model.logits = lambda tokens: model.dropout(logits(tokens))
    model.train().sample(2, 3)
    assert seen and not any(seen) and model.training and model.dropout.training
