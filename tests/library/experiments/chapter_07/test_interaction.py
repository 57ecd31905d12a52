"""Objects influence each other through the values and through the scores, without parameters of a pair."""

import torch
from drawn import normal
from torch.autograd.functional import jacobian
from torch.testing import assert_close

from transformer_lib.transformer.attention import MultiHeadAttention, attention_weights

N, WIDTH, HEADS = 5, 6, 2


def output(module, x, held):
    """The equations by hand, with the weights or the values held fixed for the derivative."""
    query, key, value = module.qkv(x).unflatten(-1, (3, HEADS, -1)).permute(1, 2, 0, 3)
    weights = attention_weights(query[None], key[None])[0]
    if held == "weights":
        weights = weights.detach()
    else:
        value = value.detach()
    return module.output((weights @ value).transpose(0, 1).flatten(1))


def test_no_parameter_belongs_to_a_pair_but_objects_interact_through_the_scores_as_well():
    module = MultiHeadAttention(WIDTH, HEADS, generator=torch.Generator().manual_seed(0)).double()
    x, order = normal(N, WIDTH), [3, 0, 4, 1, 2]
    assert_close(module(x[None, order])[0], module(x[None])[0, order])

    whole = jacobian(lambda z: module(z[None])[0], x)
    through = {
        held: jacobian(lambda z, held=held: output(module, z, held), x) for held in ("weights", "values")
    }
    assert_close(through["weights"] + through["values"], whole)
    others = ~torch.eye(N, dtype=torch.bool)
    for part in through.values():
        influence = part.transpose(1, 2).norm(dim=(2, 3))
        assert (influence[others] > 1e-4).all()
