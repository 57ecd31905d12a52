"""Words are hidden as often as asked, singly or everywhere."""

from dataclasses import replace

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from transformer_lib.dropout import embed_with_dropout
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

VOCAB, WIDTH = 50, 6


def embedding(vocab: int = VOCAB) -> nn.Embedding:
    """An embedding in float64 without a zero in it."""
    module = nn.Embedding(vocab, WIDTH, dtype=torch.float64)
    nn.init.uniform_(module.weight, 1.0, 2.0, generator=torch.Generator().manual_seed(0))
    return module


def random_tokens(*shape: int, vocab: int = VOCAB, seed: int = 1) -> torch.Tensor:
    return torch.randint(vocab, shape, generator=torch.Generator().manual_seed(seed))


def hidden(embedded: torch.Tensor) -> torch.Tensor:
    """Which tokens have nothing but zeros; the others must have none."""
    is_zero = embedded == 0
    assert torch.equal(is_zero.any(-1), is_zero.all(-1))
    return is_zero.all(-1)


def test_input_dropout_hides_each_word_with_its_probability_and_leaves_the_others_as_they_are():
    table, tokens = embedding(), random_tokens(200, 100)
    torch.manual_seed(0)
    embedded = embed_with_dropout(table, tokens, input_dropout=0.3)
    gone = hidden(embedded)
    assert abs(gone.double().mean().item() - 0.3) < 5 * (0.3 * 0.7 / tokens.numel()) ** 0.5
    assert torch.equal(embedded[~gone], table(tokens)[~gone])
    is_seen_and_hidden = [len(gone[tokens == word].unique()) == 2 for word in range(VOCAB)]
    assert all(is_seen_and_hidden), "occurrences of one word are hidden independently"


def test_embedding_dropout_hides_all_occurrences_of_a_word_together_and_rescales_the_others():
    table, tokens = embedding(2000), random_tokens(50, 400, vocab=2000)
    torch.manual_seed(0)
    embedded = embed_with_dropout(table, tokens, embedding_dropout=0.2)
    gone = hidden(embedded)
    assert_close(embedded[~gone], table(tokens)[~gone] / 0.8)
    words = tokens.unique()
    shares = torch.stack([gone[tokens == word].double().mean() for word in words])
    assert set(shares.tolist()) == {0.0, 1.0}
    assert abs(shares.mean().item() - 0.2) < 5 * (0.2 * 0.8 / len(words)) ** 0.5


def test_both_dropouts_multiply():
    table, tokens = embedding(), random_tokens(100, 100)
    torch.manual_seed(0)
    embedded = embed_with_dropout(table, tokens, 0.5, 0.5)
    gone = hidden(embedded)
    assert_close(embedded[~gone], 2 * table(tokens)[~gone])
    shares = [gone[tokens == word].double().mean().item() for word in range(VOCAB)]
    assert {share == 1.0 for share in shares} == {True, False}
    assert all(share == 1.0 or 0.2 < share < 0.8 for share in shares)


@pytest.mark.parametrize("probability", [0.0, 0.5])
def test_in_use_nothing_is_hidden_and_nothing_is_drawn(probability):
    table, tokens = embedding(), random_tokens(3, 4)
    state = torch.get_rng_state()
    assert torch.equal(embed_with_dropout(table, tokens, probability, probability, False), table(tokens))
    assert torch.equal(embed_with_dropout(table, tokens), table(tokens))
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (1, 1), (5,)])
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_tokens_of_every_shape_are_embedded(shape, dtype):
    tokens = random_tokens(*shape).to(dtype)
    assert embed_with_dropout(embedding(), tokens, 0.5, 0.5).shape == (*shape, WIDTH)


def test_a_hidden_word_receives_no_gradient_and_a_rescaled_one_a_rescaled_gradient():
    table, tokens = embedding(), torch.arange(VOCAB)[None]
    torch.manual_seed(0)
    embedded = embed_with_dropout(table, tokens, 0.3, 0.5)
    embedded.sum().backward()
    expected = torch.where(hidden(embedded)[0], 0.0, 2.0).double()
    assert_close(table.weight.grad, expected[:, None].expand_as(table.weight))


@pytest.mark.parametrize("rate", ["input_dropout", "embedding_dropout"])
def test_a_model_hides_words_in_training_alone(rate):
    config = TransformerConfig(VOCAB, 8, d_model=4, n_heads=2, n_layers=1)
    model, tokens = DecoderLM(replace(config, **{rate: 0.5})), random_tokens(3, 8)
    sound = DecoderLM(config)
    sound.load_state_dict(model.state_dict())
    assert torch.equal(model.eval()(tokens), sound.eval()(tokens))
    assert not torch.equal(model.train()(tokens), sound.train()(tokens))


@pytest.mark.parametrize("probability", [-0.1, 1.0, 1.5, float("nan")])
def test_what_is_no_probability_below_one_is_refused(probability):
    for options in ({"input_dropout": probability}, {"embedding_dropout": probability}):
        with pytest.raises(ValueError, match=r"must be a number with 0 <= \w+ < 1"):
            embed_with_dropout(embedding(), random_tokens(1, 1), **options)
