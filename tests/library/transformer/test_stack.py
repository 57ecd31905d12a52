"""Every Transformer is one stack of blocks: drawn once, positions by one row of a table, masks handed in."""

import pytest
import torch
from block_cases import made_block
from density_cases import randomize
from drawn import normal
from torch import nn
from torch.testing import assert_close

from transformer_lib.transformer.attention import MultiHeadAttention, attention, attention_weights
from transformer_lib.transformer.block import TransformerBlock
from transformer_lib.transformer.config import POSITIONS, Scheme, TransformerConfig
from transformer_lib.transformer.encoder_decoder import Encoder, EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.position_hooks import Positions
from transformer_lib.transformer.stack import TransformerStack
from transformer_lib.transformer.transformer_xl import TransformerXL, TransformerXLConfig
from transformer_lib.transformer.vision import CrossModalClassifier, ImageTransformer

SHAPE = {"vocab_size": 5, "context_length": 6, "d_model": 8, "n_heads": 2, "n_layers": 2}


def stack(**changes):
    return randomize(TransformerStack(TransformerConfig(**SHAPE | changes))).double().eval()


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_stack_is_positions_blocks_and_a_last_normalization(norm):
    ours, x = stack(norm=norm), normal(2, 4, 8)
    expected = x + ours.positions.table.weight[:4]
    for block in ours.blocks:
        expected = block(expected, Mask.causal())
    assert isinstance(ours.final_norm, nn.Identity) == (norm == "post")
    assert_close(ours(x, Mask.causal()), ours.final_norm(expected))
    assert not torch.allclose(ours(x), ours(x, Mask.causal()))


def test_a_stack_that_continues_another_adds_no_positions_and_drops_no_input():
    config = TransformerConfig(**SHAPE, dropout=0.5)
    first, second = TransformerStack(config), TransformerStack(config, continues=True)
    assert not list(second.positions.parameters()) and list(first.positions.parameters())
    assert (first.dropout.p, second.dropout.p) == (0.5, 0.0)
    assert second.blocks[0].attention.output_dropout == 0.5


def test_all_models_are_made_of_stacks():
    pixels = TransformerConfig(**SHAPE, positions="none")
    shape = TransformerConfig(**SHAPE)
    models = {
        DecoderLM(shape): 1,
        Encoder(shape): 1,
        EncoderDecoder(shape): 2,
        ImageTransformer(pixels, 3): 1,
        CrossModalClassifier(shape, 3, 4, 4, 2): 3,
        TransformerXL(TransformerXLConfig(5, 3, d_model=8, n_heads=2, n_layers=2)): 1,
    }
    for model, n_stacks in models.items():
        stacks = [module for module in model.modules() if isinstance(module, TransformerStack)]
        blocks = [module for module in model.modules() if isinstance(module, TransformerBlock)]
        assert len(stacks) == n_stacks, type(model).__name__
        assert blocks == [block for part in stacks for block in part.blocks]


@pytest.mark.parametrize("form", [{}, {"tie_embeddings": False, "macaron": True, "bias": True}])
@pytest.mark.parametrize("positions", POSITIONS)
def test_each_weight_of_a_language_model_is_drawn_once(monkeypatch, form, positions):
    drawn, normal_ = [], nn.init.normal_

    def recording(tensor, *args, **kwargs):
        if not tensor.is_meta:
            drawn.append(tensor)
        return normal_(tensor, *args, **kwargs)

    monkeypatch.setattr(nn.init, "normal_", recording)
    lm = DecoderLM(TransformerConfig(**SHAPE | {"d_head": 4} | form, positions=positions))
    weights = [parameter for parameter in lm.parameters() if parameter.ndim > 1]
    assert sorted(map(id, drawn)) == sorted(map(id, weights))


class Doubling(Positions):
    """Acts on the inputs."""

    def embed(self, x, start=0):
        return 2 * x


class Favoring(Positions):
    """Acts on the scores, in favor of the first key."""

    def score_bias(self, query, n_keys, start=0):
        bias = query.new_zeros(1, query.shape[1], query.shape[2], n_keys)
        bias[..., 0] = 50.0
        return bias


def test_a_new_scheme_of_positions_is_one_class_and_one_row(monkeypatch):
    monkeypatch.setitem(POSITIONS, "doubling", Scheme("input", lambda config, generator: Doubling()))
    monkeypatch.setitem(POSITIONS, "favoring", Scheme("scores", lambda config, generator: Favoring()))
    plain, x = stack(positions="none"), normal(2, 4, 8)
    doubling, favoring = stack(positions="doubling"), stack(positions="favoring")
    assert_close(doubling(x), plain(2 * x))
    weights = favoring.blocks[0].attention.weights(x)
    assert_close(weights[..., 0], torch.ones_like(weights[..., 0]))
    assert DecoderLM(TransformerConfig(**SHAPE, positions="favoring")).sample(1, 8).shape == (1, 8)


def test_a_scheme_that_acts_nowhere_cannot_be_registered():
    with pytest.raises(ValueError, match=r"acts_on 'score' is not one of .*; did you mean 'scores'"):
        Scheme("score", lambda config, generator: Positions())


def test_an_unknown_scheme_is_refused_by_the_configuration():
    with pytest.raises(ValueError, match=r"positions 'favoring' is not one of 'none', .*'alibi'"):
        TransformerConfig(**SHAPE, positions="favoring")


def modules():
    generator = torch.Generator().manual_seed(0)
    yield MultiHeadAttention(8, 2, generator=generator), lambda module, x, mask: module(x, mask=mask)
    for norm in ("pre", "post"):
        yield made_block(8, 2, norm=norm, generator=generator), lambda module, x, mask: module(x, mask)
    yield TransformerStack(TransformerConfig(**SHAPE), generator=generator), lambda m, x, mask: m(x, mask)


@pytest.mark.parametrize(("module", "run"), list(modules()), ids=["attention", "pre", "post", "stack"])
class TestBadInput:
    @pytest.fixture(autouse=True)
    def _plain(self, without_type_checks):
        return None

    def test_more_axes_than_a_batch_are_told_what_is_right(self, module, run):
        with pytest.raises(ValueError, match=r"\(batch, time, 8\) or \(time, 8\); got \(2, 3, 4, 8\)"):
            run(module, torch.zeros(2, 3, 4, 8), None)

    def test_a_bare_tensor_in_place_of_a_mask_is_told_what_to_be(self, module, run):
        for mask in (torch.ones(4, 4, dtype=torch.bool), torch.ones(4, 4)):
            with pytest.raises(TypeError, match=r"must be a Mask or None; got a Tensor: Mask.from_dense"):
                run(module, torch.zeros(2, 4, 8), mask)

    def test_a_mask_of_another_shape_is_refused_with_both_shapes(self, module, run):
        x = torch.zeros(2, 4, 8)
        with pytest.raises(ValueError, match="is for 3 queries and 4 keys, the input has 4 and 4"):
            run(module, x, Mask.from_dense(torch.ones(3, 4, dtype=torch.bool)))
        with pytest.raises(ValueError, match=r"\(3, 1, 4, 4\) does not broadcast to .* \(2, 2, 4, 4"):
            run(module, x, Mask.from_dense(torch.ones(3, 1, 4, 4, dtype=torch.bool)))


def test_attention_itself_takes_no_bare_tensor_either(without_type_checks):
    x, allowed = normal(1, 1, 3, 4), torch.ones(3, 3, dtype=torch.bool)
    for call in (lambda: attention(x, x, x, allowed), lambda: attention_weights(x, x, allowed)):
        with pytest.raises(TypeError, match="must be a Mask or None; got a Tensor"):
            call()
