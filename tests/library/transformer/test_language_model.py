"""The language model keeps the promises of its equations."""

import math
import subprocess
import sys
from functools import partial

import drawn
import hypothesis.strategies as st
import pytest
import torch
from block_cases import made_block
from hypothesis import given, settings
from torch.testing import assert_close

from transformer_lib.interfaces import SequenceModel
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask

TINY = {"vocab_size": 5, "context_length": 6, "d_model": 8, "n_heads": 2, "n_layers": 2}
tokens = partial(drawn.tokens, vocab_size=5)


def model(seed=0, **changes):
    """A small model in float64 whose weights are large enough for tokens to matter."""
    lm = DecoderLM(
        TransformerConfig(**TINY | changes), generator=torch.Generator().manual_seed(seed)
    ).double()
    with torch.no_grad():
        for parameter in lm.parameters():
            if parameter.dim() == 2:
                parameter *= 15
    return lm.eval()


every_form = pytest.mark.parametrize(
    "form",
    [
        {},
        {"norm": "post", "activation": "relu"},
        {"tie_embeddings": False, "bias": True},
        {"d_head": 3, "n_heads": 3, "d_ff": 5},
    ],
    ids=["default", "post", "untied", "odd"],
)


@every_form
def test_a_future_token_cannot_change_an_earlier_prediction(form):
    lm, x = model(**form), tokens(3, 6)
    logits = lm.logits(x)
    for t in range(6):
        changed = x.clone()
        changed[:, t:] = (changed[:, t:] + 1) % 5
        assert torch.equal(lm.logits(changed)[:, :t], logits[:, :t])
        assert not torch.isclose(lm.logits(changed)[:, t:], logits[:, t:]).all(-1).any()


@every_form
def test_no_gradient_comes_from_the_future(form):
    lm = model(**form)
    rows = []
    lm.token_embedding.register_forward_hook(lambda module, inputs, output: rows.append(output))
    logits = lm.logits(tokens(1, 6))
    for t in range(6):
        (gradient,) = torch.autograd.grad(logits[0, t].square().sum(), rows[0], retain_graph=True)
        reached = gradient[0].abs().amax(-1) > 0
        assert reached.tolist() == [s <= t for s in range(6)]


def test_the_order_of_the_past_matters():
    lm = model(n_layers=1)
    assert not torch.allclose(
        lm.logits(torch.tensor([[1, 2, 3]]))[0, -1], lm.logits(torch.tensor([[2, 1, 3]]))[0, -1]
    )


def test_the_start_token_stands_before_the_first():
    lm, x = model(start_token=3), tokens(4, 5)
    with_start = torch.cat([torch.full((4, 1), 3), x], dim=1)
    log_probs = lm.logits(with_start)[:, :-1].log_softmax(-1).gather(2, x[..., None])[..., 0]
    assert_close(lm.conditional_log_probs(x), log_probs)


@pytest.mark.slow
@every_form
@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 50))
@settings(max_examples=20)
def test_a_sequence_is_scored_alike_alone_and_in_a_batch(form, batch, time, seed):
    lm, x = model(**form), tokens(batch, time, seed=seed)
    assert_close(lm.logits(x), torch.cat([lm.logits(row[None]) for row in x]))


@given(before=st.integers(0, 5), time=st.integers(1, 9))
def test_reading_many_tokens_at_once_equals_reading_them_one_by_one(before, time):
    lm = model().double()
    read = tokens(2, before + time)
    state = lm.init_state(2)
    if before:
        _, state = lm.read(read[:, :before], state)
    at_once, state_at_once = lm.read(read[:, before:], state)
    one_by_one, state = SequenceModel.read(lm, read[:, before:], state)
    assert_close(at_once, one_by_one)
    assert torch.equal(state_at_once.tokens, state.tokens)


def test_steps_give_the_logits_and_slide_beyond_the_context():
    lm, x = model(), tokens(2, 9)
    state = lm.init_state(2)
    for t in range(9):
        logits, state = lm.step(x[:, t], state)
        window = x[:, max(0, t - 5) : t + 1]
        assert_close(logits, lm.logits(window)[:, -1])


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("tie_embeddings", [False, True])
@pytest.mark.parametrize("d_head", [None, 5])
def test_the_parameter_count_is_the_formula(bias, norm, tie_embeddings, d_head):
    V, T, d, H, L = 11, 7, 12, 3, 3
    config = TransformerConfig(
        V, T, d, H, L, bias=bias, norm=norm, tie_embeddings=tie_embeddings, d_head=d_head
    )
    k, m = d_head or d // H, 4 * d
    block = 4 * d * H * k + 2 * d * m + 4 * d + (3 * H * k + d + m + d) * bias
    expected = V * d + T * d + L * block + 2 * d * (norm == "pre") + V * d * (not tie_embeddings)
    assert DecoderLM(config).n_parameters() == expected


def test_gpt2_has_its_published_number_of_parameters():
    with torch.device("meta"):
        assert DecoderLM(TransformerConfig.preset("gpt2-124m")).n_parameters() == 124_439_808


@pytest.mark.parametrize(("name", "millions"), [("tiny", 0.4), ("small", 0.8), ("medium", 10.8)])
def test_presets_have_the_sizes_they_promise(name, millions):
    assert round(DecoderLM(TransformerConfig.preset(name, vocab_size=65)).n_parameters() / 1e6, 1) == millions


@every_form
def test_logits_are_what_the_head_predicts_of_the_features(form):
    lm, x = model(**form), tokens(3, 6)
    z = lm.features(x)
    assert_close(lm.predict(z), lm(x))
    assert_close(z @ lm.word_vectors.T, lm(x))


def test_a_tied_head_is_the_token_embedding_and_stored_once():
    tied, untied = model(), model(tie_embeddings=False)
    assert "head.weight" in untied.state_dict() and "head.weight" not in tied.state_dict()
    before = tied.logits(tokens(1, 3))
    with torch.no_grad():
        tied.token_embedding.weight[4] += 1.0
    assert not torch.isclose(tied.logits(torch.tensor([[0, 1, 2]])), before)[..., 4].any()


@every_form
def test_every_block_has_the_shape_of_the_configuration(form):
    lm = model(**form, dropout=0.25)
    config, x = (
        lm.config,
        torch.randn(2, 4, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0)),
    )
    options = {name: getattr(config, name) for name in ("d_head", "norm", "activation", "bias")}
    expected = made_block(config.d_model, config.n_heads, config.d_ff, **options).double()
    for block in lm.stack.blocks:
        expected.load_state_dict(block.state_dict())
        assert torch.equal(block(x, Mask.causal()), expected(x, Mask.causal()))
        assert block.attention.dropout == block.attention.output_dropout == 0.25
        assert block.feed_forward.dropout.p == block.feed_forward.output_dropout == 0.25
    assert len(lm.stack.blocks) == config.n_layers


def test_the_sum_of_embeddings_is_dropped_out():
    lm, x = model(dropout=0.5), tokens(2, 6)
    lm.stack.dropout.train()
    assert not torch.equal(lm(x), lm(x))


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_head_reads_the_last_block_normalized_once(norm):
    lm, outputs = model(norm=norm), []
    with torch.no_grad():
        for name, parameter in lm.named_parameters():
            if name.startswith("stack.final_norm"):
                parameter.copy_(torch.linspace(0.5, 2.0, 8))
    lm.stack.blocks[-1].register_forward_hook(lambda module, inputs, output: outputs.append(output))
    logits = lm.logits(tokens(2, 4))
    h = outputs[0]
    if norm == "pre":
        h = torch.nn.functional.layer_norm(h, (8,), lm.stack.final_norm.gain, lm.stack.final_norm.bias)
    assert_close(logits, h @ lm.token_embedding.weight.T)


def test_a_state_dict_makes_an_equal_model():
    first, second = model(seed=0), model(seed=1)
    x = tokens(2, 6)
    assert not torch.allclose(first(x), second(x))
    second.load_state_dict(first.state_dict())
    assert torch.equal(first(x), second(x))


def test_a_generator_decides_the_weights_and_leaves_the_global_one_alone():
    before = torch.get_rng_state()
    config = TransformerConfig(**TINY, tie_embeddings=False, bias=True)
    first, second = (DecoderLM(config, generator=torch.Generator().manual_seed(3)) for _ in range(2))
    assert torch.equal(torch.get_rng_state(), before)
    for (name, a), b in zip(first.named_parameters(), second.parameters()):
        assert torch.equal(a, b), name
        assert torch.isfinite(a).all(), name


def test_weights_start_as_gpt2s():
    config = TransformerConfig(
        vocab_size=300, context_length=200, d_model=128, n_layers=8, tie_embeddings=False, bias=True
    )
    lm = DecoderLM(config, generator=torch.Generator().manual_seed(0))
    for name, parameter in lm.named_parameters():
        joins = name.endswith(("attention.output.weight", "feed_forward.down.weight"))
        if parameter.dim() == 2:
            assert_close(parameter.std().item(), 0.02 / (math.sqrt(16) if joins else 1), rtol=0.05, atol=0)
        else:
            assert (parameter == (1.0 if name.endswith("gain") else 0.0)).all()


def test_an_untrained_model_knows_nothing_yet():
    lm = DecoderLM(
        TransformerConfig.preset("tiny", vocab_size=65), generator=torch.Generator().manual_seed(0)
    )
    nats = -lm.conditional_log_probs(tokens(4, 64, vocab_size=65)).mean().item()
    assert_close(nats, math.log(65), rtol=0.02, atol=0.0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_logits_keep_the_type_of_the_weights(dtype):
    lm = DecoderLM(TransformerConfig(**TINY)).to(dtype)
    logits = lm.logits(tokens(2, 4))
    assert logits.dtype == dtype and torch.isfinite(logits).all()


def test_bfloat16_autocast_stays_near_float32():
    lm, x = DecoderLM(TransformerConfig(**TINY), generator=torch.Generator().manual_seed(0)), tokens(2, 6)
    with torch.autocast("cpu", torch.bfloat16):
        low = lm.logits(x)
    assert low.dtype == torch.bfloat16
    assert_close(low.float(), lm.logits(x), rtol=0, atol=5e-3)


def test_dropout_acts_only_in_training():
    lm, x = model(dropout=0.5), tokens(2, 6)
    assert torch.equal(lm(x), lm(x))
    lm.train()
    assert not torch.equal(lm(x), lm(x))


def test_more_tokens_than_the_context_are_refused():
    with pytest.raises(ValueError, match="the model reads at most 6 tokens; got 7"):
        model().logits(tokens(1, 7))


@pytest.mark.slow
def test_the_whole_model_compiles_to_one_graph():
    program = """
import torch
from transformer_lib import DecoderLM, TransformerConfig

lm = DecoderLM(TransformerConfig(vocab_size=5, context_length=6, d_model=8, n_heads=2, n_layers=2))
tokens = torch.arange(10).reshape(2, 5) % 5
compiled = torch.compile(lm, backend="eager", fullgraph=True)
torch.testing.assert_close(compiled(tokens), lm(tokens))
"""
    # The run-time shape checks of the tests cannot be traced, hence a process without them.
    subprocess.run([sys.executable, "-c", program], check=True)
