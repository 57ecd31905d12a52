"""Released GPT-2 weights give the logits of Hugging Face's own model, and other files are refused."""

import pytest
import torch
import torch.nn.functional as F
from density_cases import randomize
from safetensors.torch import save_file
from torch import nn
from torch.testing import assert_close

from transformer_lib.decoding.sampling import generate
from transformer_lib.released.gpt2 import load_gpt2
from transformer_lib.training import load_model, save_checkpoint

VOCAB, CONTEXT, D, HEADS, LAYERS = 61, 17, 32, 4, 2
GIVEN = {"n_heads": HEADS, "start_token": VOCAB - 1}
SHAPES = {"wte.weight": (VOCAB, D), "wpe.weight": (CONTEXT, D), "ln_f.weight": (D,), "ln_f.bias": (D,)}
BLOCK = {
    "ln_1": (D,),
    "attn.c_attn": (D, 3 * D),
    "attn.c_proj": (D, D),
    "ln_2": (D,),
    "mlp.c_fc": (D, 4 * D),
    "mlp.c_proj": (4 * D, D),
}
for n in range(LAYERS):
    SHAPES |= {f"h.{n}.{name}.weight": shape for name, shape in BLOCK.items()}
    SHAPES |= {f"h.{n}.{name}.bias": shape[-1:] for name, shape in BLOCK.items()}


def released(dtype=torch.float64):
    """Random tensors with the names and shapes of a small GPT-2's."""
    generator = torch.Generator().manual_seed(0)
    return {
        name: 0.3 * torch.randn(shape, generator=generator, dtype=dtype) for name, shape in SHAPES.items()
    }


def tokens(batch=3, time=CONTEXT):
    return torch.randint(VOCAB, (batch, time), generator=torch.Generator().manual_seed(1))


def theirs(**options):
    """Hugging Face's own GPT-2, all of its parameters random, biases and gains included."""
    transformers = pytest.importorskip("transformers")
    config = transformers.GPT2Config(
        vocab_size=VOCAB,
        n_positions=CONTEXT,
        n_embd=D,
        n_head=HEADS,
        n_layer=LAYERS,
        bos_token_id=0,
        eos_token_id=0,
        **options,
    )
    return randomize(transformers.GPT2LMHeadModel(config).double(), scale=0.3).eval()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dtype", "tolerance"), [(torch.float64, 1e-10), (torch.float32, 1e-5)], ids=["float64", "float32"]
)
@pytest.mark.parametrize("names", ["prefixed", "bare", "tied head", "mask buffers"])
@pytest.mark.parametrize("options", [{}, {"n_inner": 40}, {"tie_word_embeddings": False}], ids=str)
def test_weights_from_a_file_have_the_logits_of_hugging_face(dtype, tolerance, names, options, tmp_path):
    reference = theirs(**options).to(dtype)
    tensors = {name: t.clone() for name, t in reference.state_dict().items()}
    if names != "tied head" and options.get("tie_word_embeddings") is not False:
        del tensors["lm_head.weight"]
    if names == "bare":
        tensors = {name.removeprefix("transformer."): t for name, t in tensors.items()}
    if names == "mask buffers":
        mask = torch.ones(1, 1, CONTEXT, CONTEXT, dtype=torch.bool).tril()
        for n in range(LAYERS):
            tensors[f"transformer.h.{n}.attn.bias"] = mask.clone()
            tensors[f"transformer.h.{n}.attn.masked_bias"] = torch.tensor(-1e4)
    save_file(tensors, tmp_path / "model.safetensors")
    ours = load_gpt2(tmp_path / "model.safetensors", **GIVEN)
    with torch.no_grad():
        expected = reference(tokens()).logits
        assert expected.std() > 0.5
        assert_close(ours.logits(tokens()), expected, rtol=tolerance, atol=tolerance)
    assert ours.config.activation == "gelu-tanh" and not ours.training
    assert (ours.head is None) == reference.config.tie_word_embeddings


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"n_inner": 40}, {"tie_word_embeddings": False}], ids=str)
def test_gradients_are_those_of_hugging_face(options):
    """Its gradients, loaded as if they were weights, are laid out as the gradients of ours."""
    reference = theirs(**options)
    ours = load_gpt2(reference.state_dict(), **GIVEN)
    x, y = tokens(), tokens().flip(1)
    F.cross_entropy(reference(x).logits.flatten(0, 1), y.flatten()).backward()
    F.cross_entropy(ours.logits(x).flatten(0, 1), y.flatten()).backward()
    gradients = {name: parameter.grad for name, parameter in reference.named_parameters()}
    expected = load_gpt2(gradients, **GIVEN).state_dict()
    for name, parameter in ours.named_parameters():
        assert parameter.grad.abs().max() > 1e-6
        assert_close(parameter.grad, expected[name], rtol=1e-8, atol=1e-12)


@pytest.mark.slow
def test_cached_sampling_is_that_of_hugging_face():
    reference = theirs()
    ours = load_gpt2(reference.state_dict(), **GIVEN | {"start_token": 0})
    read, state = torch.zeros(3, 1, dtype=torch.long), ours.init_state(3)
    for _ in range(CONTEXT - 1):
        with torch.no_grad():
            expected = reference(read).logits[:, -1]
        logits, state = ours.step(read[:, -1], state)
        assert_close(logits, expected, rtol=1e-10, atol=1e-10)
        read = torch.cat([read, expected.argmax(-1, keepdim=True)], dim=1)
    assert torch.equal(generate(ours, read[:, 1:4], CONTEXT - 4, temperature=0.0), read[:, 1:])


def test_the_shape_follows_from_the_tensors():
    small = load_gpt2(released(), **GIVEN).config
    assert (small.vocab_size, small.context_length, small.d_model) == (VOCAB, CONTEXT, D)
    assert (small.n_layers, small.d_ff, small.start_token) == (LAYERS, 4 * D, VOCAB - 1)
    assert (small.activation, small.bias, small.norm) == ("gelu-tanh", True, "pre")


def test_the_vocabulary_of_the_release_has_its_start_token_and_no_other_vocabulary_has():
    wide = {name: torch.zeros([50257 if s == VOCAB else s for s in shape]) for name, shape in SHAPES.items()}
    assert load_gpt2(wide, n_heads=HEADS).config.start_token == 50256
    wide["wte.weight"] = torch.zeros(50258, D)  # a padding token was added behind it
    with pytest.raises(ValueError, match=r"no tensor tells start_token: .*or give config= or start_token="):
        load_gpt2(wide, n_heads=HEADS)


def test_values_that_are_given_replace_those_of_the_tensors():
    config = load_gpt2(released(), n_heads=8, dropout=0.1, start_token=3).config
    assert (config.n_heads, config.dropout, config.start_token) == (8, 0.1, 3)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_the_model_has_copies_of_the_weights_in_their_precision(dtype):
    tensors = {name: nn.Parameter(t) for name, t in released(dtype).items()}
    model = load_gpt2(tensors, **GIVEN)
    assert all(p.dtype == dtype and p.is_leaf and p.requires_grad for p in model.parameters())
    before = model.logits(tokens())
    with torch.no_grad():
        for tensor in tensors.values():
            tensor.zero_()
    assert torch.equal(model.logits(tokens()), before) and before.isfinite().all()


def test_a_loaded_model_is_saved_and_trained_as_any_other(tmp_path):
    model = load_gpt2(released(), **GIVEN)
    save_checkpoint(tmp_path / "ours.safetensors", model)
    again = load_model(tmp_path / "ours.safetensors")
    assert torch.equal(again.logits(tokens()), model.logits(tokens()))
    again.logits(tokens()).sum().backward()
    assert all(parameter.grad is not None for parameter in again.parameters())


def test_loading_draws_no_random_number():
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    load_gpt2(released(), **GIVEN)
    assert torch.equal(torch.rand(1), expected)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"h.1.ln_2.bias": None}, r"missing: h\.1\.ln_2\.bias$"),
        ({"ln_f.weight": None, "ln_f.bias": None}, r"missing: ln_f\.bias, ln_f\.weight$"),
        ({"h.0.attn.q.weight": torch.zeros(2)}, r"unexpected: h\.0\.attn\.q\.weight$"),
        ({"h.3.ln_1.bias": torch.zeros(D)}, r"missing: .* and 18 more$"),
        ({"ln_f.bias": torch.zeros(3)}, r"of another shape: ln_f\.bias \(3,\), not \(32,\)$"),
        ({"h.1.mlp.c_fc.weight": torch.zeros(128, D)}, r"c_fc\.weight \(128, 32\), not \(32, 128\)$"),
        (
            {"wpe.weight": torch.zeros(CONTEXT, 3), "h.0.ln_1.bias": None, "score.weight": torch.zeros(2, D)},
            r"GPT-2; missing: h\.0.*; unexpected: score\.weight; of another shape: wpe\.weight \(17, 3\)",
        ),
        ({"wte.weight": None}, r"those have the matrices wte\.weight and wpe\.weight"),
        ({"wpe.weight": torch.zeros(3)}, r"those have the matrices wte\.weight and wpe\.weight"),
        ({"h.0.ln_1.bias": torch.zeros(D, dtype=torch.int64)}, r"one floating type .*float64, torch\.int64"),
        ({"ln_f.weight": torch.zeros(D).half()}, r"one floating type .*float16, torch\.float64"),
        ({"lm_head.weight": torch.zeros(3, D)}, r"lm_head\.weight \(3, 32\), not \(61, 32\)$"),
    ],
)
def test_other_tensors_are_refused_with_what_is_wrong(change, message):
    tensors = released() | {
        n: t if t is None or t.dtype != torch.float32 else t.double() for n, t in change.items()
    }
    tensors = {name: tensor for name, tensor in tensors.items() if tensor is not None}
    with pytest.raises(ValueError, match=message):
        load_gpt2(tensors, **GIVEN)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"n_heads": None}, "no tensor tells n_heads"),
        ({"n_heads": 3}, "d_model=32 is not a multiple of n_heads=3"),
        ({"n_heads": 4, "n_head": 4}, "no setting 'n_head'; did you mean 'n_heads'"),
        ({"n_heads": 4, "positions": "relative"}, "missing: .*unexpected: wpe.weight"),
    ],
)
def test_a_shape_that_cannot_be_is_refused(overrides, message):
    with pytest.raises(ValueError, match=message):
        load_gpt2(released(), **{n: v for n, v in (GIVEN | overrides).items() if v is not None})


def test_files_that_hold_no_gpt2_are_refused(tmp_path):
    path = tmp_path / "model.safetensors"
    save_file(released(), path)
    whole = path.read_bytes()
    for content in (whole[: len(whole) // 2], whole[:5], b"", b"{}"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"model\.safetensors cannot be read as a safetensors file"):
            load_gpt2(path, **GIVEN)
    for elsewhere in (tmp_path, tmp_path / "none"):
        with pytest.raises(ValueError, match="cannot be read as a safetensors file"):
            load_gpt2(elsewhere, **GIVEN)
    torch.save(released(), path)
    with pytest.raises(ValueError, match="cannot be read as a safetensors file"):
        load_gpt2(path, **GIVEN)
    save_checkpoint(path, load_gpt2(released(), **GIVEN))
    with pytest.raises(ValueError, match=r"not the weights of a GPT-2: those have the matrices wte\.weight"):
        load_gpt2(path, **GIVEN)
