"""What is made small is the mean over the real targets, however they are divided into batches."""

from dataclasses import replace
from functools import partial

import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch.testing import assert_close

from transformer_lib.data.pairs import PairBatch
from transformer_lib.losses import n_targets
from transformer_lib.training import (
    TrainingConfig,
    language_model_loss,
    sampled_cross_entropy,
    sampled_language_model_loss,
    train,
    translation_loss,
)
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM

SHAPE = TransformerConfig(7, 8, d_model=8, n_heads=2, n_layers=1)
CONFIG = TrainingConfig(steps=4, learning_rate=1e-2, warmup_steps=0, clip_norm=0.3, device="cpu")


def translator() -> EncoderDecoder:
    return EncoderDecoder(SHAPE, generator=torch.Generator().manual_seed(0)).double()


def pair_batch(seed: int, batch: int = 3, time: int = 6) -> PairBatch:
    generator = torch.Generator().manual_seed(seed)
    source = torch.randint(7, (batch, 5), generator=generator)
    inputs, targets = torch.randint(7, (2, batch, time), generator=generator)
    lengths = torch.randint(1, time + 1, (batch, 1), generator=generator)
    targets[torch.arange(time) >= lengths] = -100
    return PairBatch(source, torch.randint(1, 6, (batch,), generator=generator), inputs, targets)


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
def test_translation_loss_is_the_mean_over_real_targets_of_each_pair_by_itself(smoothing):
    model, batch = translator(), pair_batch(0)
    total, count = 0.0, 0
    for source, source_length, inputs, targets in zip(*batch, strict=True):
        length = int((targets != -100).sum())
        logits = model(source[None, :source_length], inputs[None, :length])[0]
        log_p = logits.log_softmax(-1)
        chosen = log_p[torch.arange(length), targets[:length]]
        total -= ((1 - smoothing) * chosen + smoothing * log_p.mean(-1)).sum()
        count += length
    assert n_targets(batch) == count
    assert_close(translation_loss(model, batch, label_smoothing=smoothing), total / count)


def test_smoothing_of_a_language_model_raises_the_loss_of_a_sure_one():
    model = DecoderLM(SHAPE, generator=torch.Generator().manual_seed(0)).double()
    with torch.no_grad():
        model.token_embedding.weight.mul_(100)
    inputs = torch.arange(7)[None]
    targets = model(inputs).argmax(-1)
    smoothed = partial(language_model_loss, label_smoothing=0.1)
    assert smoothed(model, (inputs, targets)) > language_model_loss(model, (inputs, targets))


class Parts:
    """Every update's 6 pairs as `parts` batches of unequal numbers of targets."""

    def __init__(self, parts: int) -> None:
        self.parts = parts

    def batch(self, step: int) -> PairBatch:
        update, part = divmod(step, self.parts)
        rows = slice(part * 6 // self.parts, (part + 1) * 6 // self.parts)
        return PairBatch(*(tensor[rows] for tensor in pair_batch(update, batch=6)))


def test_an_update_and_its_loss_do_not_depend_on_how_the_pairs_are_divided():
    runs = {}
    for parts in (1, 2, 3):
        model = translator()
        config = TrainingConfig(**CONFIG.to_dict() | {"accumulation": parts})
        runs[parts] = model, train(model, translation_loss, Parts(parts), config, progress=False)
    whole, expected = runs[1]
    for model, result in runs.values():
        assert result.losses == pytest.approx(expected.losses, abs=1e-10)
        assert result.tokens == expected.tokens
        for a, b in zip(model.parameters(), whole.parameters(), strict=True):
            assert_close(a, b, rtol=0, atol=1e-9)


def test_targets_are_counted_in_the_last_tensor_of_a_batch():
    assert n_targets(torch.zeros(3, 4)) == 12
    assert n_targets((torch.zeros(2, 9), torch.tensor([[1, -100]]), True)) == 1
    assert n_targets((torch.zeros(2, 9), torch.tensor([[1, -100], [-100, 0]]))) == 2
    assert nn.CrossEntropyLoss().ignore_index == -100


def softmax_case(
    seed: int, rows: int = 6, vocab: int = 40
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    z, words = (torch.randn(n, 5, generator=generator, dtype=torch.float64) for n in (rows, vocab))
    return z.requires_grad_(), words.requires_grad_(), torch.randint(vocab, (rows,), generator=generator)


@pytest.mark.parametrize("vocab", [6, 40])
def test_a_softmax_estimated_from_all_words_is_the_softmax_in_value_and_gradient(vocab):
    found = []
    for loss in (
        lambda z, w, y: sampled_cross_entropy(z, w, y, vocab),
        lambda z, w, y: cross_entropy(z @ w.T, y),
    ):
        z, words, targets = softmax_case(0, vocab=vocab)
        value = loss(z, words, targets)
        found.append([value, *torch.autograd.grad(value, (z, words))])
    for estimated, exact in zip(*found, strict=True):
        assert_close(estimated, exact)


def test_the_estimated_normalizer_is_the_exact_one_on_average():
    z, words, targets = softmax_case(1, rows=1)
    chosen = (z * words[targets]).sum()
    torch.manual_seed(0)
    drawn = [sampled_cross_entropy(z, words, targets, 8) for _ in range(600)]
    normalizers = torch.exp(torch.stack(drawn) + chosen).detach()
    error = normalizers.std() / len(drawn) ** 0.5
    assert abs(normalizers.mean() - torch.exp(z @ words.T).sum()) < 4 * error
    assert error < 0.1 * normalizers.mean()


def test_other_words_are_pushed_down_only_when_they_are_drawn():
    z, words, targets = softmax_case(2)
    torch.manual_seed(0)
    (gradient,) = torch.autograd.grad(sampled_cross_entropy(z, words, targets, 3), words)
    assert int((gradient.abs().sum(1) > 0).sum()) == len(targets.unique()) + 3


def test_a_language_model_trains_by_the_estimate_as_by_the_exact_loss():
    inputs, targets = torch.randint(7, (2, 3, 8), generator=torch.Generator().manual_seed(0))
    for tied in (True, False):
        config = replace(SHAPE, tie_embeddings=tied)
        model = DecoderLM(config, generator=torch.Generator().manual_seed(0)).double()
        exact = language_model_loss(model, (inputs, targets))
        assert_close(sampled_language_model_loss(model, (inputs, targets), n_others=7), exact)
    with pytest.raises(ValueError, match="n_others"):
        sampled_language_model_loss(model, (inputs, targets), n_others=0)


def test_in_half_precision_the_words_that_are_drawn_weigh_exactly():
    """Of equal scores each normalizer is the vocabulary, whatever is drawn."""
    z, words = torch.zeros(4, 8, dtype=torch.bfloat16), torch.ones(1000, 8, dtype=torch.bfloat16)
    loss = sampled_cross_entropy(z, words, torch.arange(4), 37)
    assert_close(loss, torch.tensor(1000.0).log(), rtol=1e-6, atol=0)
