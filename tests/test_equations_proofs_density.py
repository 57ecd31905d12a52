"""The library's density models are the slides' and the papers', in float64 to 1e-10."""

import itertools

import numpy as np
import pytest
import torch
from equation_cases import few_examples, seeds
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.autoregressive import history_windows
from transformer_lib.equations import papers, slides
from transformer_lib.nade import NADE, TiedBinaryNADE
from transformer_lib.transformer import DecoderLM, TransformerConfig

ATOL = 1e-10


def numpy_parameters(module: torch.nn.Module, seed: int) -> dict[str, np.ndarray]:
    """Fill every parameter with normal numbers, biases included, and return them."""
    rng = np.random.default_rng(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.from_numpy(rng.normal(size=parameter.shape)))
    return {name: parameter.detach().numpy() for name, parameter in module.named_parameters()}


@pytest.mark.proves("S3", "S4")
@few_examples
@given(seeds, st.integers(1, 5), st.integers(1, 4), st.integers(1, 4))
def test_nade_s_logits_are_the_slides(seed: int, p: int, k: int, d: int) -> None:
    model = NADE(p, d, k).double()
    theta = numpy_parameters(model, seed)
    tokens = np.random.default_rng(seed).integers(d, size=p)
    h = slides.nade_hidden(slides.one_hot(tokens, d), theta["V"], theta["c"])
    f = slides.nade_logits(h, theta["W"], theta["b"])
    ours = model.conditional_logits(torch.from_numpy(tokens)[None])[0].detach()
    np.testing.assert_allclose(ours, f, atol=ATOL)


@pytest.mark.proves("S1", "S3", "S4", "S5")
@few_examples
@given(seeds, st.integers(1, 4), st.integers(1, 4), st.integers(1, 3))
def test_nade_s_log_prob_is_the_slides_for_every_sequence(seed: int, p: int, k: int, d: int) -> None:
    model = NADE(p, d, k).double()
    theta = numpy_parameters(model, seed)
    sequences = np.array(list(itertools.product(range(d), repeat=p)))
    expected = [slides.nade_log_prob(x, theta["V"], theta["c"], theta["W"], theta["b"]) for x in sequences]
    ours = model.log_prob(torch.from_numpy(sequences)).detach()
    np.testing.assert_allclose(ours, expected, atol=ATOL)
    assert ours.exp().sum().item() == pytest.approx(1.0, abs=ATOL)


@pytest.mark.proves("S1")
@few_examples
@given(seeds, st.integers(1, 4), st.integers(1, 3))
def test_a_density_model_s_log_prob_is_the_chain_rule_over_its_conditionals(
    seed: int, p: int, d: int
) -> None:
    model = NADE(p, d, 3).double()
    numpy_parameters(model, seed)

    def conditional(x_t: int, history: tuple[int, ...]) -> float:
        x = torch.tensor([[*history, x_t]])
        return model.conditional_log_probs(x)[0, -1].exp().item()

    x = tuple(np.random.default_rng(seed).integers(d, size=p).tolist())
    ours = model.log_prob(torch.tensor([x])).item()
    assert ours == pytest.approx(slides.chain_rule_log_prob(conditional, x), abs=ATOL)


@pytest.mark.proves("larochelle2011")
@few_examples
@given(seeds, st.integers(1, 5), st.integers(1, 4))
def test_the_tied_binary_nade_is_larochelle_and_murray_s(seed: int, p: int, k: int) -> None:
    model = TiedBinaryNADE(p, k).double()
    theta = numpy_parameters(model, seed)
    x = np.random.default_rng(seed).integers(2, size=p)
    probabilities = papers.nade_probabilities(x, theta["W"].T, theta["c"], theta["V"], theta["b"])
    ours = model.conditional_logits(torch.from_numpy(x)[None])[0].sigmoid().detach()
    np.testing.assert_allclose(ours, probabilities, atol=ATOL)
    expected = papers.bernoulli_log_prob(x, probabilities)
    assert model.log_prob(torch.from_numpy(x)[None]).item() == pytest.approx(expected, abs=1e-9)


@pytest.mark.proves("S2")
@few_examples
@given(seeds, st.integers(0, 7), st.integers(1, 4))
def test_a_model_with_a_context_is_the_finite_history_estimator(seed: int, T: int, context: int) -> None:
    """Below the context the start token stands in front; beyond it the model sees the last tokens alone."""
    d = 3
    model = DecoderLM(TransformerConfig(d, context, d_model=4, n_heads=2, n_layers=1)).double()
    numpy_parameters(model, seed)

    def conditional(x_t: int, history: tuple[int, ...]) -> float:
        seen = [model.start_token, *history][-context:]
        return model.logits(torch.tensor([seen]))[0, -1].softmax(-1)[x_t].item()

    x = tuple(np.random.default_rng(seed).integers(d, size=T).tolist())
    tokens = torch.tensor([x], dtype=torch.long)
    ours = model.conditional_log_probs(tokens, stride=1).sum().item()
    assert ours == pytest.approx(slides.finite_history_log_prob(conditional, x, context), abs=1e-9)


@pytest.mark.proves("S2")
@few_examples
@given(seeds, st.integers(0, 7), st.integers(1, 4))
def test_history_windows_are_the_padded_estimator_s_histories(seed: int, T: int, p: int) -> None:
    x = tuple(np.random.default_rng(seed).integers(1, 5, size=T).tolist())
    histories = []

    def conditional(x_t: int, history: tuple[int, ...]) -> float:
        histories.append(history)
        return 1.0

    slides.padded_history_log_prob(conditional, x, p, start=0)
    windows = history_windows(torch.tensor([x], dtype=torch.long), p, 0)[0]
    assert [tuple(window) for window in windows.tolist()] == histories
