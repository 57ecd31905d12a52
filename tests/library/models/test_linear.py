"""Linear maps begin with weights that keep the variance of what they read."""

import pytest
import torch
from torch import nn

from transformer_lib.linear import projection, uninitialized


def test_a_projection_is_pytorchs_linear_layer_with_weights_of_variance_one_over_its_inputs():
    layer = projection(400, 500, generator=torch.Generator().manual_seed(0))
    assert type(layer) is nn.Linear
    assert layer.weight.std().item() == pytest.approx(400**-0.5, rel=0.01)
    assert not layer.bias.any()
    assert projection(2, 3, bias=False).bias is None


def test_a_projection_draws_from_its_generator_alone():
    before = torch.get_rng_state()
    one, other = (projection(3, 5, generator=torch.Generator().manual_seed(4)) for _ in range(2))
    assert torch.equal(one.weight, other.weight)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("widths", [(0, 3), (3, 0)])
def test_a_width_below_one_is_refused(widths):
    with pytest.raises(ValueError, match="widths of at least 1"):
        projection(*widths)


def test_an_uninitialized_module_draws_nothing():
    before = torch.get_rng_state()
    assert uninitialized(nn.Embedding, 3, 5).weight.shape == (3, 5)
    assert torch.equal(torch.get_rng_state(), before)
