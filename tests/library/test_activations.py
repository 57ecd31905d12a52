"""Each nonlinearity has the field's name and values."""

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from transformer_lib.activations import ACTIVATIONS

FORMULAS = {
    "sigmoid": lambda a: 1 / (1 + (-a).exp()),
    "tanh": lambda a: (a.exp() - (-a).exp()) / (a.exp() + (-a).exp()),
    "relu": lambda a: a.clamp(min=0),
    "gelu": lambda a: a * 0.5 * (1 + torch.erf(a / 2**0.5)),
    "gelu-tanh": lambda a: F.gelu(a, approximate="tanh"),
    "silu": lambda a: a / (1 + (-a).exp()),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_nonlinearity_is_its_formula(name):
    a = torch.linspace(-4, 4, 33, dtype=torch.float64)
    assert_close(ACTIVATIONS[name](a), FORMULAS[name](a))
