"""The library's encoder-decoder is Stratos', and where its mask makes it another, that is said and shown."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from equation_cases import few_examples, lengths, normal, seeds, widths
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_lib.equations import note_positions, stratos, stratos_model
from transformer_lib.transformer.attention import MultiHeadAttention
from transformer_lib.transformer.block import FeedForward, LayerNorm, TransformerBlock
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder
from transformer_lib.transformer.note_matrices import note_matrices

ATOL = 1e-10
RTOL = 1e-8
depths = st.integers(1, 3)
whole_models = settings(max_examples=12)


def array(parameter: torch.Tensor) -> np.ndarray:
    return parameter.detach().numpy()


def attention_parameters(module: MultiHeadAttention) -> stratos.AttentionParameters:
    """His matrices are the note's, transposed."""
    return stratos.AttentionParameters(
        *(torch.stack(matrices).mT.numpy() for matrices in note_matrices(module).values())
    )


def norm_parameters(module: LayerNorm) -> stratos.NormParameters:
    return stratos.NormParameters(array(module.gain), array(module.bias))


def fat_relu_parameters(module: FeedForward) -> stratos.FatReluParameters:
    up, down = module.up, module.down
    return stratos.FatReluParameters(*map(array, (up.weight, up.bias, down.weight, down.bias)))


def encoder_layer(block: TransformerBlock) -> stratos_model.EncoderLayer:
    return stratos_model.EncoderLayer(
        attention_parameters(block.attention),
        norm_parameters(block.attention_norm),
        fat_relu_parameters(block.feed_forward),
        norm_parameters(block.feed_forward_norm),
    )


def decoder_layer(block: TransformerBlock) -> stratos_model.DecoderLayer:
    return stratos_model.DecoderLayer(
        attention_parameters(block.attention),
        norm_parameters(block.attention_norm),
        attention_parameters(block.cross_attention),
        norm_parameters(block.cross_attention_norm),
        fat_relu_parameters(block.feed_forward),
        norm_parameters(block.feed_forward_norm),
    )


class Case:
    """A small model of Stratos', a source and target inputs, and his names for the model's parameters."""

    def __init__(self, seed: int, n: int, j: int, n_layers: int, **dropouts: float) -> None:
        rng = np.random.default_rng(seed)
        shape = {
            "d_model": 6,
            "n_heads": 2,
            "d_head": 3,
            "d_ff": 5,
            "n_layers": n_layers,
            "context_length": 8,
        }
        vocabularies = {"vocab_size": 5, "source_vocab_size": 7 if rng.integers(2) else None}
        config = TransformerConfig.preset("base", **shape, **vocabularies, **{"dropout": 0.0} | dropouts)
        self.model = EncoderDecoder(config).double().eval()
        with torch.no_grad():
            for name, parameter in self.model.named_parameters():
                mean = 1.0 if name.endswith("gain") else 0.0
                parameter.copy_(torch.from_numpy(rng.normal(mean, 0.5, size=parameter.shape)))
        self.x, self.y = rng.integers(5, size=n), rng.integers(5, size=j)
        self.E_I = array(self.model.encoder.token_embedding.weight).T
        self.E_O = array(self.model.decoder.token_embedding.weight).T
        self.pi = note_positions.sinusoids(8, 6)
        self.encoder_layers = [encoder_layer(block) for block in self.model.encoder.stack.blocks]
        self.decoder_layers = [decoder_layer(block) for block in self.model.decoder.stack.blocks]

    def encoded(self) -> np.ndarray:
        return stratos_model.encode(self.x, self.E_I, self.pi, self.encoder_layers)

    def probabilities(self) -> np.ndarray:
        """The library's, of the word after each prefix of the inputs."""
        logits = self.model(torch.from_numpy(self.x)[None], torch.from_numpy(self.y)[None])
        return array(logits.softmax(-1)[0])

    def by_steps(self) -> np.ndarray:
        """Stratos': every prefix by itself, unmasked."""
        z, rest = self.encoded(), (self.E_O, self.pi, self.decoder_layers)
        return np.array(
            [stratos_model.next_word_distribution(self.y[:j], z, *rest) for j in range(1, len(self.y) + 1)]
        )


def same_drops(seed: int, rate: float) -> Callable[[np.ndarray], np.ndarray]:
    """A Drop that draws what PyTorch draws for a batch of one."""
    torch.manual_seed(seed)
    return lambda x: F.dropout(torch.from_numpy(x)[None], rate)[0].numpy()


@pytest.mark.proves("K16")
@few_examples
@given(seeds, widths, lengths)
def test_layer_norm_with_its_constant_on_the_deviation_is_stratos(seed: int, d: int, n: int) -> None:
    x, g, b = normal(seed, (n, d), (d,), (d,))
    x[0] = x[0, 0]
    module = LayerNorm(d, eps=1e-3, eps_on="deviation").double()
    with torch.no_grad():
        module.gain.copy_(torch.from_numpy(g))
        module.bias.copy_(torch.from_numpy(b))
    expected = [stratos.layer_normalization(x_i, g, b) for x_i in x]
    np.testing.assert_allclose(array(module(torch.from_numpy(x))), expected, atol=ATOL)


@pytest.mark.proves("K16")
def test_the_usual_layer_norm_is_stratos_for_one_deviation_at_a_time() -> None:
    """To add c to the deviation is to add 2 c sigma + c^2 to the variance, and sigma is the input's."""
    narrow, wide = torch.tensor([[-0.1, 0.1], [-1.0, 1.0]], dtype=torch.float64)
    stratos_norm = LayerNorm(2, eps=1e-3, eps_on="deviation").double()
    usual = LayerNorm(2, eps=2 * 1e-3 * 0.1 + 1e-6).double()
    np.testing.assert_allclose(array(usual(narrow)), array(stratos_norm(narrow)), atol=ATOL)
    assert np.abs(array(usual(wide)) - array(stratos_norm(wide))).max() > 1e-4


@pytest.mark.proves("K17")
@few_examples
@given(seeds, widths, lengths, lengths)
def test_the_feed_forward_module_is_stratos_fat_relu(seed: int, d: int, d_ff: int, n: int) -> None:
    x, *parameters = normal(seed, (n, d), (d_ff, d), (d_ff,), (d, d_ff), (d,))
    module = FeedForward(d, d_ff, activation="relu").double()
    with torch.no_grad():
        for parameter, value in zip(module.parameters(), parameters, strict=True):
            parameter.copy_(torch.from_numpy(value))
    expected = stratos.fat_relu(x, *parameters)
    np.testing.assert_allclose(array(module(torch.from_numpy(x))), expected, atol=ATOL)


@pytest.mark.proves("K1", "K2", "K3", "K4", "K12", "K13", "K14", "K15", "K16", "K17")
@whole_models
@given(seeds, lengths, depths)
def test_the_encoder_is_stratos(seed: int, n: int, n_layers: int) -> None:
    case = Case(seed, n, 1, n_layers)
    ours = array(case.model.encoder(torch.from_numpy(case.x)[None])[0])
    np.testing.assert_allclose(ours, case.encoded(), rtol=RTOL, atol=ATOL)


@pytest.mark.proves("K1", "K2", "K3", "K4")
@whole_models
@given(seeds, lengths, depths, st.floats(0.05, 0.9))
def test_the_encoder_in_training_drops_where_stratos_does(
    seed: int, n: int, n_layers: int, rate: float
) -> None:
    case = Case(seed, n, 1, n_layers, dropout=rate)
    torch.manual_seed(seed % 1000)
    ours = array(case.model.encoder.train()(torch.from_numpy(case.x)[None])[0])
    drop = same_drops(seed % 1000, rate)
    expected = stratos_model.encode(case.x, case.E_I, case.pi, case.encoder_layers, drop)
    np.testing.assert_allclose(ours, expected, rtol=RTOL, atol=ATOL)


def test_dropout_on_attention_weights_is_nowhere_in_stratos_equations() -> None:
    """With his own places left alone: weights that are dropped give another result in every pass."""
    results = {}
    for rate in (0.0, 0.5):
        case = Case(0, 4, 1, 2, attention_dropout=rate)
        encoder, source = case.model.encoder.train(), torch.from_numpy(case.x)[None]
        torch.manual_seed(0)
        results[rate] = [array(encoder(source)[0]) for _ in range(2)]
    for passed in results[0.0]:
        np.testing.assert_allclose(passed, case.encoded(), rtol=RTOL, atol=ATOL)
    one, other = results[0.5]
    assert np.abs(one - other).max() > 0.01
    assert min(np.abs(passed - case.encoded()).max() for passed in (one, other)) > 0.01


@pytest.mark.slow
@pytest.mark.proves("K5", "K6", "K7", "K8", "K9", "K10")
@whole_models
@given(seeds, lengths, lengths, depths, st.floats(0.05, 0.9))
def test_the_decoder_s_blocks_without_a_mask_are_stratos_and_drop_where_he_does(
    seed: int, n: int, j: int, n_layers: int, rate: float
) -> None:
    case = Case(seed, n, j, n_layers, dropout=rate)
    z, decoder = case.encoded(), case.model.decoder.train()
    torch.manual_seed(seed % 1000)
    embedded = decoder.token_embedding(torch.from_numpy(case.y)[None])
    o = decoder.stack.dropout(decoder.stack.positions.embed(embedded))
    for block in decoder.stack.blocks:
        o = block(o, memory=torch.from_numpy(z)[None])
    drop = same_drops(seed % 1000, rate)
    expected = stratos_model.decoder_step(case.y, z, case.E_O, case.pi, case.decoder_layers, drop)
    np.testing.assert_allclose(array(o[0]), expected, rtol=RTOL, atol=ATOL)


@pytest.mark.proves("K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "K9", "K10", "K11")
@whole_models
@given(seeds, lengths, lengths)
def test_with_one_decoder_layer_the_masked_model_is_stratos_at_every_step(seed: int, n: int, j: int) -> None:
    """One layer reads only the last row of its input's self-attention, which the mask leaves as it is."""
    case = Case(seed, n, j, n_layers=1)
    np.testing.assert_allclose(case.probabilities(), case.by_steps(), rtol=1e-7, atol=ATOL)


@pytest.mark.slow
@pytest.mark.proves("K5", "K6", "K7", "K8", "K9", "K10", "K11")
@whole_models
@given(seeds, lengths, lengths, depths)
def test_with_any_number_of_layers_the_masked_model_is_stratos_at_the_first_step(
    seed: int, n: int, j: int, n_layers: int
) -> None:
    case = Case(seed, n, j, n_layers)
    np.testing.assert_allclose(case.probabilities()[0], case.by_steps()[0], rtol=1e-7, atol=ATOL)


def test_with_two_decoder_layers_the_masked_model_is_not_stratos_after_the_first_step() -> None:
    """In his second layer the last word attends to words that have themselves looked ahead."""
    case = Case(0, 3, 4, n_layers=2)
    apart = np.abs(case.probabilities() - case.by_steps()).max(axis=1)
    assert apart[0] < ATOL
    assert (apart[1:] > 0.001).all()


@pytest.mark.slow
@pytest.mark.proves("K5", "K6", "K7", "K8", "K9", "K10", "K11")
@whole_models
@given(seeds, lengths, lengths, depths)
def test_the_masked_model_is_stratos_equations_with_each_word_attending_to_its_own_prefix(
    seed: int, n: int, j: int, n_layers: int
) -> None:
    case = Case(seed, n, j, n_layers)
    z, o = case.encoded(), stratos_model.embed(case.y, case.E_O, case.pi)
    for layer in case.decoder_layers:
        prefixes = [o[: i + 1] for i in range(j)]
        o = np.array([stratos_model.decoder_layer(prefix, z, layer)[-1] for prefix in prefixes])
    expected = [stratos_model.output_distribution(o_j, case.E_O) for o_j in o]
    np.testing.assert_allclose(case.probabilities(), expected, rtol=1e-6, atol=ATOL)
