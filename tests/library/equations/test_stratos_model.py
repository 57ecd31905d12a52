"""What Stratos' encoder-decoder must satisfy by itself."""

from itertools import product

import numpy as np
import pytest
from equation_cases import few_examples, lengths, random_decoder_layer, random_encoder_layer, seeds
from hypothesis import given

from transformer_lib.equations import stratos_model

ATOL = 1e-10


@few_examples
@given(seeds, lengths)
def test_without_positions_the_encoder_does_not_see_order(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    E, layers = rng.normal(size=(4, 7)), [random_encoder_layer(rng, 4) for _ in range(2)]
    x, order, nowhere = rng.integers(7, size=n), rng.permutation(n), np.zeros((n, 4))
    z = stratos_model.encode(x, E, nowhere, layers)
    np.testing.assert_allclose(stratos_model.encode(x[order], E, nowhere, layers), z[order], atol=1e-8)


def test_drop_acts_once_on_the_input_and_once_on_every_residual_line() -> None:
    rng = np.random.default_rng(0)
    E, pi, words = rng.normal(size=(4, 5)), rng.normal(size=(3, 4)), np.array([1, 4, 2])
    calls: list[int] = []

    def counting(x: np.ndarray) -> np.ndarray:
        calls.append(len(x))
        return x

    z = stratos_model.encode(words, E, pi, [random_encoder_layer(rng, 4) for _ in range(2)], counting)
    assert calls == [3] * (1 + 2 * 2)
    calls.clear()
    layers = [random_decoder_layer(rng, 4) for _ in range(2)]
    stratos_model.decoder_step(words[:2], z, E, pi, layers, counting)
    assert calls == [2] * (1 + 2 * 3)


def test_the_output_distribution_by_hand() -> None:
    E_O = np.array([[0.0, np.log(3.0), 1.0], [1.0, 0.0, 0.0]])
    distribution = stratos_model.output_distribution(np.array([1.0, 0.0]), E_O)
    np.testing.assert_allclose(distribution, np.array([1.0, 3.0, np.e]) / (4.0 + np.e), atol=ATOL)


def test_an_unmasked_step_rewrites_what_earlier_steps_computed() -> None:
    rng = np.random.default_rng(1)
    E, pi, z = rng.normal(size=(4, 5)), rng.normal(size=(3, 4)), rng.normal(size=(2, 4))
    layers = [random_decoder_layer(rng, 4)]
    shorter = stratos_model.decoder_step(np.array([0, 3]), z, E, pi, layers)
    longer = stratos_model.decoder_step(np.array([0, 3, 2]), z, E, pi, layers)
    assert np.abs(longer[:2] - shorter).max() > 0.01


@pytest.mark.parametrize("n_layers", [1, 2])
def test_the_decoder_is_auto_regressive_whatever_the_encoder_feeds_it(n_layers: int) -> None:
    """Its conditionals make a distribution over sentences with any z, because it reads its own words."""
    rng = np.random.default_rng(5)
    E, pi = rng.normal(size=(4, 3)), rng.normal(size=(3, 4))
    layers = [random_decoder_layer(rng, 4) for _ in range(n_layers)]
    for z in (rng.normal(size=(2, 4)), np.zeros((1, 4))):
        total = 0.0
        for sentence in product(range(3), repeat=2):
            words = np.array([0, *sentence])
            total += np.prod(
                [stratos_model.next_word_distribution(words[:j], z, E, pi, layers)[words[j]] for j in (1, 2)]
            )
        np.testing.assert_allclose(total, 1.0, atol=ATOL)
        after = [
            stratos_model.next_word_distribution(np.array([0, word]), z, E, pi, layers) for word in (1, 2)
        ]
        assert np.abs(after[0] - after[1]).max() > 1e-5


def test_a_prefix_without_bos_has_no_representation_to_predict_the_first_word_from() -> None:
    rng = np.random.default_rng(3)
    E, pi, z = rng.normal(size=(4, 5)), rng.normal(size=(3, 4)), rng.normal(size=(2, 4))
    nothing = stratos_model.decoder_step(np.array([], dtype=int), z, E, pi, [])
    assert nothing.shape == (0, 4)
    with_bos = stratos_model.next_word_distribution(np.array([0]), z, E, pi, [random_decoder_layer(rng, 4)])
    np.testing.assert_allclose(with_bos.sum(), 1.0, atol=ATOL)
