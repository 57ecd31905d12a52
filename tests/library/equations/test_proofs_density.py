"""The library's density models are the slides' and the papers', in float64 to 1e-10."""

import itertools

import numpy as np
import pytest
import torch
from equation_cases import few_examples, seeds
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.density.baselines import FeedforwardHistory, FullyVisibleSigmoid
from transformer_lib.density.nade import NADE, TiedBinaryNADE
from transformer_lib.density.ngram import KneserNey
from transformer_lib.equations import papers, slides
from transformer_lib.interfaces import SequenceModel
from transformer_lib.padding import history_windows
from transformer_lib.recurrent.language_model import LSTM, RecurrentConfig
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

ATOL = 1e-10


def numpy_parameters(module: torch.nn.Module, seed: int) -> dict[str, np.ndarray]:
    """Fill every parameter with normal numbers, biases included, and return them."""
    rng = np.random.default_rng(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.from_numpy(rng.normal(size=parameter.shape)))
    return {name: parameter.detach().numpy() for name, parameter in module.named_parameters()}


def nade_and_parameters(
    seed: int, p: int, k: int, d: int, learn_sums: bool
) -> tuple[NADE, dict[str, np.ndarray]]:
    """A NADE with random parameters, and those parameters in the slides' letters."""
    model = NADE(p, d, k, learn_sums=learn_sums).double()
    rng = np.random.default_rng(seed)
    shapes = {"V": (p, k, d), "c": (p, k), "W": (p, d, k), "b": (p, d)}
    theta = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    model.load_slides_parameters(**{name: torch.from_numpy(array) for name, array in theta.items()})
    return model, theta


@pytest.mark.proves("S3", "S4")
@pytest.mark.parametrize("learn_sums", [True, False])
@few_examples
@given(seeds, st.integers(1, 5), st.integers(1, 4), st.integers(1, 4))
def test_nade_s_logits_are_the_slides(learn_sums: bool, seed: int, p: int, k: int, d: int) -> None:
    model, theta = nade_and_parameters(seed, p, k, d, learn_sums)
    tokens = np.random.default_rng(seed).integers(d, size=p)
    h = slides.nade_hidden(slides.one_hot(tokens, d), theta["V"], theta["c"])
    f = slides.nade_logits(h, theta["W"], theta["b"])
    ours = model.conditional_logits(torch.from_numpy(tokens)[None])[0].detach()
    np.testing.assert_allclose(ours, f, atol=ATOL)
    np.testing.assert_allclose(model.W.detach(), theta["W"], atol=ATOL)


@pytest.mark.proves("S1", "S3", "S4", "S5")
@few_examples
@given(seeds, st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.booleans())
def test_nade_s_log_prob_is_the_slides_for_every_sequence(
    seed: int, p: int, k: int, d: int, learn_sums: bool
) -> None:
    model, theta = nade_and_parameters(seed, p, k, d, learn_sums)
    sequences = np.array(list(itertools.product(range(d), repeat=p)))
    expected = [slides.nade_log_prob(x, theta["V"], theta["c"], theta["W"], theta["b"]) for x in sequences]
    ours = model.log_prob(torch.from_numpy(sequences)).detach()
    np.testing.assert_allclose(ours, expected, atol=ATOL)
    assert ours.exp().sum().item() == pytest.approx(1.0, abs=ATOL)


class Table(SequenceModel):
    """The model of sequences of one length that are drawn from a table of their probabilities."""

    def __init__(self, table: np.ndarray) -> None:
        super().__init__()
        self.table, self.vocab_size = table, table.shape[0]

    def logits(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logarithms of sums of the table: that the sequence begins with what is read and then this token."""
        prefixes = [[row[1 : t + 1] for t in range(len(row))] for row in tokens.tolist()]
        sums = [
            [[self.begins(*prefix, v) for v in range(self.vocab_size)] for prefix in row] for row in prefixes
        ]
        return torch.tensor(sums, dtype=torch.float64).log().reshape(*tokens.shape, self.vocab_size)

    def begins(self, *prefix: int) -> float:
        return float(self.table[prefix].sum())


def random_table(seed: int, p: int, d: int) -> np.ndarray:
    """Positive probabilities of all d^p sequences, related to one another in no way but their sum."""
    weights = np.random.default_rng(seed).exponential(size=(d,) * p)
    return weights / weights.sum()


@pytest.mark.proves("S1")
@few_examples
@given(seeds, st.integers(1, 4), st.integers(1, 3))
def test_the_chain_rule_gives_back_any_table_of_probabilities(seed: int, p: int, d: int) -> None:
    model = Table(random_table(seed, p, d))
    sequences = list(itertools.product(range(d), repeat=p))
    expected = [np.log(model.table[x]) for x in sequences]
    by_slides = [
        slides.chain_rule_log_prob(lambda x_t, past: model.begins(*past, x_t) / model.begins(*past), x)
        for x in sequences
    ]
    np.testing.assert_allclose(by_slides, expected, atol=ATOL)
    np.testing.assert_allclose(model.log_prob(torch.tensor(sequences)), expected, atol=ATOL)


@pytest.mark.slow
@pytest.mark.proves("S1")
@pytest.mark.parametrize("kind", ["nade", "lstm", "decoder"])
@few_examples
@given(seeds, st.integers(1, 4), st.integers(2, 3))
def test_a_model_s_conditionals_are_ratios_of_sums_over_its_joint_table(
    kind: str, seed: int, p: int, d: int
) -> None:
    """A conditional that saw a later token, or did not sum to one, would not be that of any table."""
    decoder = TransformerConfig(d, p, d_model=4, n_heads=2, n_layers=1)
    model = {
        "nade": lambda: NADE(p, d, 3),
        "lstm": lambda: LSTM(RecurrentConfig(d, d_model=3)),
        "decoder": lambda: DecoderLM(decoder),
    }[kind]().double()
    numpy_parameters(model, seed)
    sequences = torch.tensor(list(itertools.product(range(d), repeat=p)))
    with torch.no_grad():
        table = Table(model.log_prob(sequences).exp().numpy().reshape((d,) * p))
        conditionals = model.conditional_log_probs(sequences).numpy()
    assert table.begins() == pytest.approx(1.0, abs=ATOL)
    for x, ours in zip(sequences.tolist(), conditionals):
        ratios = [table.begins(*x[: t + 1]) / table.begins(*x[:t]) for t in range(p)]
        np.testing.assert_allclose(ours, np.log(ratios), atol=1e-8)


@pytest.mark.proves("larochelle2011", "uria2016")
@few_examples
@given(seeds, st.integers(1, 5), st.integers(1, 4))
def test_the_tied_binary_nade_is_larochelle_and_murray_s(seed: int, p: int, k: int) -> None:
    model = TiedBinaryNADE(p, k).double()
    theta = numpy_parameters(model, seed)
    x = np.random.default_rng(seed).integers(2, size=p)
    probabilities = papers.nade_probabilities(x, theta["V"].T, theta["c"], theta["W"], theta["b"])
    ours = model.conditional_logits(torch.from_numpy(x)[None])[0].sigmoid().detach()
    np.testing.assert_allclose(ours, probabilities, atol=ATOL)
    expected = papers.bernoulli_log_prob(x, probabilities)
    assert model.log_prob(torch.from_numpy(x)[None]).item() == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
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


@pytest.mark.proves("chen1999")
@few_examples
@given(st.lists(st.lists(st.integers(1, 3), max_size=9), min_size=1, max_size=4), st.integers(1, 4))
def test_the_fast_kneser_ney_is_chen_and_goodman_s(documents: list[list[int]], order: int) -> None:
    d = 5
    counts = papers.kneser_ney_counts(documents, order, start=0)
    stream = [token for document in documents for token in (*document, 0)]
    model = KneserNey(order, d).fit(np.array(stream))
    for document in [*documents, [4, 1], [3, 3, 2, 1]]:
        for t in range(len(document) + 1):
            read = (0, *document[:t])
            history = read[len(read) - min(order - 1, len(read)) :]
            expected = [papers.kneser_ney_probability(w, history, counts, d) for w in range(d)]
            np.testing.assert_allclose(model.distribution(np.array(read)), expected, atol=ATOL)


@pytest.mark.proves("neal1992")
@few_examples
@given(seeds, st.integers(1, 6))
def test_the_fully_visible_sigmoid_net_is_the_logistic_belief_net(seed: int, p: int) -> None:
    model = FullyVisibleSigmoid(p).double()
    theta = numpy_parameters(model, seed)
    x = np.random.default_rng(seed).integers(2, size=p)
    probabilities = papers.belief_net_probabilities(x, theta["w"], theta["b"])
    expected = np.log(np.where(x == 1, probabilities, 1 - probabilities))
    ours = model.conditional_log_probs(torch.from_numpy(x)[None])[0].detach()
    np.testing.assert_allclose(ours, expected, atol=1e-9)
    total = model.log_prob(torch.from_numpy(x)[None]).item()
    assert total == pytest.approx(papers.bernoulli_log_prob(x, probabilities), abs=1e-9)


@pytest.mark.proves("S2", "S5")
@few_examples
@given(seeds, st.integers(0, 6), st.integers(1, 4))
def test_option_a_s_network_is_the_padded_history_estimator(seed: int, T: int, p: int) -> None:
    d = 3
    model = FeedforwardHistory(d, p, d_hidden=4).double()
    theta = numpy_parameters(model, seed)

    def conditional(x_t: int, history: tuple[int, ...]) -> float:
        symbols = slides.one_hot(np.array(history), d + 1)
        total = theta["c"].copy()
        for i in range(p):
            total += theta["V"][:, :, i] @ symbols[i]
        f_t = theta["b"] + theta["W"] @ np.maximum(0.0, total)
        return float(slides.categorical(f_t)[x_t])

    x = tuple(np.random.default_rng(seed).integers(d, size=T).tolist())
    expected = slides.padded_history_log_prob(conditional, x, p, model.start_token)
    ours = model.log_prob(torch.tensor([x], dtype=torch.long)).item()
    assert ours == pytest.approx(expected, abs=1e-9)
