"""What is built starts with the deviation asked for, drawn from its generator alone."""

import pytest
import torch
from drawn import generator
from model_cases import CASES
from torch import nn

from transformer_lib.initialization import embedding, projection, uninitialized


def test_a_projection_is_pytorchs_linear_layer_that_keeps_the_variance_of_its_inputs():
    layer = projection(400, 500, generator=generator())
    assert type(layer) is nn.Linear
    assert layer.weight.std().item() == pytest.approx(400**-0.5, rel=0.01)
    assert not layer.bias.any()
    assert projection(2, 3, bias=False).bias is None


def test_another_deviation_may_be_asked_for():
    assert projection(400, 500, std=0.02, generator=generator()).weight.std().item() == pytest.approx(
        0.02, rel=0.01
    )
    assert embedding(400, 500, std=3.0, generator=generator()).weight.std().item() == pytest.approx(
        3, rel=0.01
    )


@pytest.mark.parametrize(
    "make", [lambda g: projection(3, 5, generator=g), lambda g: embedding(3, 5, std=1.0, generator=g)]
)
def test_nothing_is_drawn_from_but_the_generator(make):
    before = torch.get_rng_state()
    assert torch.equal(make(generator(4)).weight, make(generator(4)).weight)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: projection(0, 3), "d_in must be at least 1; got 0"),
        (lambda: projection(3, 0), "d_out must be at least 1; got 0"),
        (lambda: embedding(0, 3, std=1.0), "n_rows must be at least 1; got 0"),
    ],
)
def test_a_width_below_one_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("name", CASES)
def test_a_model_is_built_on_the_default_device(name):
    with torch.device("meta"):
        model = CASES[name](None)
    assert {tensor.device.type for tensor in (*model.parameters(), *model.buffers())} == {"meta"}


def test_an_uninitialized_module_draws_nothing():
    before = torch.get_rng_state()
    assert uninitialized(nn.Embedding, 3, 5).weight.shape == (3, 5)
    assert torch.equal(torch.get_rng_state(), before)
