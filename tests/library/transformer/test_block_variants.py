"""Attention alone is its attention, and Macaron's halves stand around attention."""

import pytest
import torch
from block_cases import made_block
from drawn import normal
from torch.testing import assert_close

from transformer_lib.transformer.block_variants import AttentionOnlyBlock, MacaronBlock, PostNormMacaronBlock
from transformer_lib.transformer.masks import Mask


def test_the_block_of_attention_only_is_its_attention():
    module = made_block(8, 2, attention_only=True, bias=True, dropout=0.5).double().eval()
    x = normal(2, 6, 8)
    assert isinstance(module, AttentionOnlyBlock)
    assert_close(module(x, Mask.causal()), module.attention(x, mask=Mask.causal()))
    assert {name.split(".")[0] for name, _ in module.named_parameters()} == {"attention"}
    assert (module.train()(x) == 0).double().mean() > 0.3


@pytest.mark.parametrize(("norm", "kind"), [("pre", MacaronBlock), ("post", PostNormMacaronBlock)])
def test_a_macaron_block_whose_first_network_gives_zeros_counts_the_second_half(norm, kind):
    module = made_block(8, 2, norm=norm, macaron=True, bias=True).double()
    plain = made_block(8, 2, norm=norm, bias=True).double()
    assert type(module) is kind
    state = {name: value for name, value in module.state_dict().items() if not name.startswith("first_")}
    with torch.no_grad():
        for parameter in module.first_feed_forward.down.parameters():
            parameter.zero_()
        plain.load_state_dict(state)
        for parameter in plain.feed_forward.down.parameters():
            parameter /= 2
    x = normal(2, 5, 8)
    # With post-norm the first normalization stays, on what the plain block then reads.
    read = module.first_feed_forward_norm(x) if norm == "post" else x
    assert_close(module(x, Mask.causal()), plain(read, Mask.causal()))


@pytest.mark.parametrize("form", [{}, {"norm": "pre"}, {"macaron": True}, {"attention_only": True}])
def test_a_block_that_attends_across_needs_something_to_attend_to(form):
    module = made_block(8, 2, cross_attention=True, **form).double()
    with pytest.raises(ValueError, match="cross-attention needs a memory"):
        module(normal(2, 5, 8))
