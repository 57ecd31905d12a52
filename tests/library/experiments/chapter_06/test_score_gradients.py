"""The gradient that reaches a random query: autograd agrees, and a seed gives the same again."""

import numpy as np
import pytest
import torch

from transformer_lib.experiments import run_seed
from transformer_lib.experiments.chapter_06 import score_gradients
from transformer_lib.experiments.chapter_06.score_gradients import N_KEYS, gradient_norms


@pytest.mark.parametrize("scaled", [True, False])
def test_the_norms_are_those_of_automatic_differentiation(scaled):
    norms = gradient_norms(8, scaled, np.random.default_rng(3), n_queries=5)
    rng = np.random.default_rng(3)
    shapes = ((5, 8, 1), (5, N_KEYS, 8), (5, N_KEYS, 1))
    q, keys, above = (torch.from_numpy(rng.standard_normal(shape)) for shape in shapes)
    q.requires_grad_()
    scores = keys @ q / (8**0.5 if scaled else 1)
    (scores.softmax(1) * above).sum().backward()
    np.testing.assert_allclose(norms, q.grad.norm(dim=(1, 2)), rtol=1e-9)


def test_a_measurement_names_means_and_medians_with_their_logarithms():
    found = run_seed(score_gradients.EXPERIMENT, 0, k=4, scaled=True)
    assert found == run_seed(score_gradients.EXPERIMENT, 0, k=4, scaled=True)
    for name in ("mean", "median"):
        assert 10 ** found[f"log {name}"] == pytest.approx(found[name], rel=1e-4)
