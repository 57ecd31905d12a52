"""The bill of a Transformer, counted by hand, equals what its model has and does."""

import pytest
import torch

from transformer_lib.experiments.chapter_15 import accounting
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

CONFIGS = {
    "usual": {"d_model": 16, "n_heads": 2, "n_layers": 2},
    "other widths": {"d_model": 12, "n_heads": 3, "n_layers": 1, "d_head": 5, "d_ff": 20},
    "shared heads": {"d_model": 24, "n_heads": 6, "n_kv_heads": 2, "n_layers": 3},
    "untied": {"d_model": 8, "n_heads": 1, "n_layers": 2, "tie_embeddings": False},
}


def config_of(name: str) -> TransformerConfig:
    return TransformerConfig(vocab_size=19, context_length=32, **CONFIGS[name])


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("name", CONFIGS)
def test_the_parameters_by_part_are_all_of_the_model_s(name, bias):
    config = TransformerConfig(vocab_size=19, context_length=32, bias=bias, **CONFIGS[name])
    assert sum(accounting.parameter_counts(config).values()) == DecoderLM(config).n_parameters()


@pytest.mark.parametrize("length", [5, 32])
@pytest.mark.parametrize("name", CONFIGS)
def test_the_operations_by_part_are_all_that_pytorch_counts(name, length):
    config = config_of(name)
    model, tokens = DecoderLM(config), accounting.draw_tokens(19, 3, length)
    forward = accounting.counted_flops(lambda: model(tokens))
    assert forward == 3 * sum(accounting.forward_flops(config, length).values())
    both = accounting.counted_flops(lambda: model(tokens).sum().backward())
    assert both == 3 * accounting.training_flops(config, length)


@pytest.mark.parametrize("name", ["usual", "other widths"])
def test_a_block_keeps_the_numbers_that_are_counted(name):
    config = config_of(name)
    block, mask = (model := DecoderLM(config)).stack.blocks[0], model.mask
    x = torch.randn(3, 32, config.d_model, requires_grad=True)
    found = accounting.saved_bytes(block, lambda: block(x * 1, mask))
    assert found == 4 * 3 * 32 * accounting.activation_numbers(config)


def test_checkpointed_blocks_give_the_same_gradients_for_fewer_bytes_and_more_work():
    config = config_of("usual")
    model, tokens = DecoderLM(config), accounting.draw_tokens(19, 3, 32)

    def gradients():
        model.zero_grad()
        model(tokens).logsumexp(-1).sum().backward()
        return [parameter.grad.clone() for parameter in model.parameters()]

    plain, kept = gradients(), accounting.saved_bytes(model, lambda: model(tokens))
    work = accounting.counted_flops(gradients)
    with accounting.checkpointed_blocks(model):
        again, fewer = gradients(), accounting.saved_bytes(model, lambda: model(tokens))
        more = accounting.counted_flops(gradients)
    assert all(torch.equal(one, other) for one, other in zip(plain, again))
    assert fewer < kept / 3 and work < more
    assert torch.equal(model(tokens), model(tokens)) and accounting.counted_flops(gradients) == work


def test_shards_are_equal_parts():
    whole, part = (accounting.state_bytes(100, workers=4, sharded=s) for s in (False, True))
    assert sum(whole.values()) == 1600 and sum(part.values()) == 400
