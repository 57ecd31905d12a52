"""Names of format 1 become those of now: of weights, of moments, and of a model within a model."""

import torch

from transformer_lib.training.former_names import current_names


def renamed(model_class, *names, config=None):
    return list(current_names({name: torch.zeros(1) for name in names}, model_class, config))


def test_what_moved_into_the_stack_is_found_there():
    names = ("token_embedding.weight", "positions.table.weight", "blocks.0.attention.positions.vectors")
    assert renamed("DecoderLM", *names, "final_norm.gain", "head.weight") == [
        "token_embedding.weight",
        "stack.positions.table.weight",
        "stack.blocks.0.attention.positions.vectors",
        "stack.final_norm.gain",
        "head.weight",
    ]


def test_moments_keep_their_kind():
    name = "optimizer.exp_avg.encoder.blocks.1.feed_forward.up.weight"
    assert renamed("EncoderDecoder", name, "losses") == [
        "optimizer.exp_avg.encoder.stack.blocks.1.feed_forward.up.weight",
        "losses",
    ]


def test_a_prior_is_renamed_as_the_model_that_it_is():
    blocks = "prior.blocks.0.mix.weight"
    assert renamed("VQVAE", blocks, config={"prior": ["CausalConvLM", {}]}) == [blocks]
    assert renamed("VQVAE", blocks, config={"prior": ["DecoderLM", {}]}) == [
        "prior.stack.blocks.0.mix.weight"
    ]


def test_the_names_of_other_models_stay():
    for model_class in ("LSTM", "CausalConvLM", "SomethingElse"):
        assert renamed(model_class, "blocks.0.weight", "stack.initial") == [
            "blocks.0.weight",
            "stack.initial",
        ]
