"""Weights of a Llama give the logits of Hugging Face's own model, and other files are refused."""

from itertools import pairwise

import pytest
import torch
import torch.nn.functional as F
from density_cases import randomize
from safetensors.torch import save_file
from torch import nn
from torch.testing import assert_close

from transformer_lib.released.llama import load_llama
from transformer_lib.training import load_model, save_checkpoint
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

VOCAB, CONTEXT, D, D_FF, HEADS, LAYERS, EPS = 61, 17, 32, 40, 4, 2, 1e-3
SHAPES = {
    "multi-head": {},
    "grouped": {"num_key_value_heads": 2},
    "multi-query": {"num_key_value_heads": 1},
    "another base": {"num_key_value_heads": 2, "rope_theta": 500.0},
    "tied": {"num_key_value_heads": 2, "tie_word_embeddings": True},
    "wide heads": {"num_key_value_heads": 2, "head_dim": 10},
}
GIVEN = {
    "n_heads": HEADS,
    "context_length": CONTEXT,
    "norm_eps": EPS,
    "rotary_base": 10000.0,
    "start_token": 0,
}

every_shape = pytest.mark.parametrize("shape", SHAPES)


def tokens(batch=3, time=CONTEXT, seed=1):
    return torch.randint(VOCAB, (batch, time), generator=torch.Generator().manual_seed(seed))


class ExactAngles(nn.Module):
    """The angles of Hugging Face's Llama in float64."""

    def __init__(self, width, base):
        super().__init__()
        self.frequencies = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)

    def forward(self, x, position_ids):
        angles = position_ids[..., None] * self.frequencies
        return tuple(torch.cat([f(angles), f(angles)], dim=-1) for f in (torch.cos, torch.sin))


def theirs(shape="grouped", dtype=torch.float64, exact=True):
    """Hugging Face's own Llama, all of its parameters random, gains included, and its rotary base.

    It computes angles and normalizations in float32 whatever the weights are, unless ``exact``.
    """
    transformers = pytest.importorskip("transformers")
    options = dict(SHAPES[shape])
    base = options.pop("rope_theta", 10000.0)
    config = transformers.LlamaConfig(
        vocab_size=VOCAB,
        max_position_embeddings=CONTEXT,
        hidden_size=D,
        intermediate_size=D_FF,
        num_attention_heads=HEADS,
        num_hidden_layers=LAYERS,
        rms_norm_eps=EPS,
        rope_parameters={"rope_type": "default", "rope_theta": base},
        **options,
    )
    model = transformers.LlamaForCausalLM(config)
    if exact:
        model.model.rotary_emb = ExactAngles(config.head_dim, base)
        for layer in model.model.layers:
            layer.input_layernorm, layer.post_attention_layernorm = nn.RMSNorm(D, EPS), nn.RMSNorm(D, EPS)
        model.model.norm = nn.RMSNorm(D, EPS)
    return randomize(model.to(dtype), scale=0.3).eval(), base


def released(**changes):
    """Random tensors with the names and shapes of a small Llama's, without one that is ``None``."""
    d_head, kv = D // HEADS, 2
    shapes = {"embed_tokens": (VOCAB, D), "norm": (D,)}
    for n in range(LAYERS):
        block = {
            "input_layernorm": (D,),
            "self_attn.q_proj": (HEADS * d_head, D),
            "self_attn.k_proj": (kv * d_head, D),
            "self_attn.v_proj": (kv * d_head, D),
            "self_attn.o_proj": (D, HEADS * d_head),
            "post_attention_layernorm": (D,),
            "mlp.gate_proj": (D_FF, D),
            "mlp.up_proj": (D_FF, D),
            "mlp.down_proj": (D, D_FF),
        }
        shapes |= {f"layers.{n}.{name}": shape for name, shape in block.items()}
    generator = torch.Generator().manual_seed(0)
    tensors = {f"{name}.weight": torch.randn(shape, generator=generator) for name, shape in shapes.items()}
    return {name: tensor for name, tensor in (tensors | changes).items() if tensor is not None}


@pytest.mark.slow
@every_shape
@pytest.mark.parametrize(
    ("dtype", "exact", "tolerance"),
    [(torch.float64, True, 1e-10), (torch.float64, False, 1e-4), (torch.float32, False, 1e-4)],
    ids=["float64", "float64 in part", "float32"],
)
def test_weights_from_a_file_have_the_logits_of_hugging_face(shape, dtype, exact, tolerance, tmp_path):
    reference, base = theirs(shape, dtype, exact)
    tensors = {name: tensor.clone() for name, tensor in reference.state_dict().items()}
    if shape == "tied":
        del tensors["lm_head.weight"]
    save_file(tensors, tmp_path / "model.safetensors")
    ours = load_llama(tmp_path / "model.safetensors", **GIVEN | {"rotary_base": base})
    with torch.no_grad():
        expected = reference(tokens()).logits
        assert expected.std() > 0.4
        assert_close(ours.logits(tokens()), expected, rtol=tolerance, atol=tolerance)
    assert (ours.head is None) == reference.config.tie_word_embeddings and not ours.training
    assert ours.n_parameters() == sum(parameter.numel() for parameter in reference.parameters())


@pytest.mark.slow
@every_shape
def test_gradients_are_those_of_hugging_face(shape):
    """Its gradients, loaded as if they were weights, are laid out as the gradients of ours."""
    reference, base = theirs(shape)
    ours = load_llama(reference.state_dict(), **GIVEN | {"rotary_base": base})
    x, y = tokens(), tokens(seed=2)
    F.cross_entropy(reference(x).logits.flatten(0, 1), y.flatten()).backward()
    F.cross_entropy(ours.logits(x).flatten(0, 1), y.flatten()).backward()
    gradients = {name: parameter.grad for name, parameter in reference.named_parameters()}
    expected = load_llama(gradients, **GIVEN | {"rotary_base": base}).state_dict()
    for name, parameter in ours.named_parameters():
        assert parameter.grad.abs().max() > 1e-6
        assert_close(parameter.grad, expected[name], rtol=1e-8, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("change", [{"rotary_base": 9000.0}, {"norm_eps": 2 * EPS}], ids=str)
def test_another_base_and_another_epsilon_give_other_logits(change):
    reference, base = theirs()
    ours = load_llama(reference.state_dict(), **GIVEN | {"rotary_base": base} | change)
    with torch.no_grad():
        assert not torch.allclose(ours.logits(tokens()), reference(tokens()).logits, atol=1e-4)


@pytest.mark.slow
def test_cached_steps_have_the_logits_of_hugging_face():
    reference, _ = theirs("multi-query")
    ours = load_llama(reference.state_dict(), **GIVEN)
    read, state = tokens(), ours.init_state(3)
    with torch.no_grad():
        expected = reference(read).logits
    for t in range(CONTEXT):
        logits, state = ours.step(read[:, t], state)
        assert_close(logits, expected[:, t], rtol=1e-9, atol=1e-9)
    assert state.caches[0].key.shape == (3, 1, CONTEXT, D // HEADS)


def test_features_that_the_release_turns_together_stand_side_by_side():
    tensors = released()
    query = tensors["layers.1.self_attn.q_proj.weight"].unflatten(0, (HEADS, -1))
    ours = load_llama(tensors, **GIVEN).stack.blocks[1].attention
    taken = ours.qkv.weight[:D].unflatten(0, (HEADS, -1))
    half = D // HEADS // 2
    for i in range(half):
        assert torch.equal(taken[:, 2 * i], query[:, i])
        assert torch.equal(taken[:, 2 * i + 1], query[:, half + i])


def test_the_shape_follows_from_the_tensors():
    small = load_llama(released(), **GIVEN).config
    assert (small.vocab_size, small.d_model, small.d_ff, small.n_layers) == (VOCAB, D, D_FF, LAYERS)
    assert (small.n_heads, small.n_kv_heads, small.head_width) == (HEADS, 2, D // HEADS)
    assert (small.norm, small.norm_kind, small.activation, small.gated) == ("pre", "rms", "silu", True)
    assert small.tie_embeddings and not small.bias
    head = torch.randn(VOCAB, D, generator=torch.Generator().manual_seed(1))
    untied = load_llama(released(**{"lm_head.weight": head}), **GIVEN)
    assert not untied.config.tie_embeddings


def test_the_preset_has_the_parameters_of_the_smallest_llama():
    """6,738,415,616 are those of the released 7B model."""
    with torch.device("meta"):
        assert DecoderLM(TransformerConfig.preset("llama-7b")).n_parameters() == 6_738_415_616


def test_fewer_heads_of_keys_and_values_have_fewer_parameters_and_smaller_caches():
    models = [
        DecoderLM(TransformerConfig(VOCAB, CONTEXT, d_model=D, n_heads=HEADS, n_layers=3, n_kv_heads=kv))
        for kv in (4, 2, 1)
    ]
    for (more, fewer), saved in zip(pairwise(models), (2, 1)):
        assert more.n_parameters() - fewer.n_parameters() == 3 * 2 * saved * (D // HEADS) * D
    sizes = [model.init_state(1).caches[0].key.numel() for model in models]
    assert sizes == [4 * sizes[2], 2 * sizes[2], CONTEXT * D // HEADS]


def test_a_loaded_model_is_a_copy_that_is_saved_and_trained_as_any_other(tmp_path):
    tensors = released()
    model = load_llama(tensors, **GIVEN)
    before = model.logits(tokens())
    for tensor in tensors.values():
        tensor.zero_()
    assert torch.equal(model.logits(tokens()), before)
    save_checkpoint(tmp_path / "ours.safetensors", model)
    again = load_model(tmp_path / "ours.safetensors")
    assert again.config == model.config and torch.equal(again.logits(tokens()), before)
    again.logits(tokens()).sum().backward()
    assert all(parameter.grad is not None for parameter in again.parameters())


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_weights_and_angles_are_in_the_precision_of_the_release_and_nothing_is_drawn(dtype):
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    model = load_llama({name: tensor.to(dtype) for name, tensor in released().items()}, **GIVEN)
    assert torch.equal(torch.rand(1), expected)
    assert {tensor.dtype for tensor in (*model.parameters(), *model.buffers())} == {dtype}
    made = DecoderLM(model.config).to(dtype)
    for ours, new in zip(model.buffers(), made.buffers(), strict=True):
        assert torch.equal(ours, new)
    assert model.logits(tokens()).isfinite().all()


def test_tables_of_angles_in_older_files_are_left_out():
    assert load_llama(released(**{"layers.0.self_attn.rotary_emb.inv_freq": torch.ones(4)}), **GIVEN)


@pytest.mark.parametrize(
    ("changes", "overrides", "message"),
    [
        ({"embed_tokens.weight": None}, {}, "not the weights of a Llama: those have the matrices embed_tok"),
        ({"layers.0.mlp.gate_proj.weight": None}, {}, "not the weights of a Llama"),
        ({"layers.1.mlp.up_proj.weight": None}, {}, r"this Llama; missing: layers\.1\.mlp\.up_proj\.weight$"),
        ({"layers.0.self_attn.q_proj.bias": torch.zeros(D)}, {}, r"unexpected: .*q_proj\.bias$"),
        ({"layers.1.self_attn.k_proj.weight": torch.zeros(8, D)}, {}, r"k_proj\.weight \(8, 32\), not \(16"),
        ({"norm.weight": torch.zeros(D).half()}, {}, "weights need one floating type for all"),
        ({}, {"n_heads": 3}, "3 heads do not share 32 features of queries: give n_heads"),
        ({}, {"n_heads": "4"}, "n_heads must be a positive whole number, got '4'"),
        ({}, {"n_head": 4}, "no setting 'n_head'; did you mean 'n_heads'"),
        ({}, {"norm_kind": "layer"}, r"missing: .*layernorm\.bias"),
    ],
)
def test_what_is_no_such_llama_is_refused_with_what_is_wrong(changes, overrides, message):
    with pytest.raises(ValueError, match=message):
        load_llama(released(**changes), **GIVEN | overrides)
