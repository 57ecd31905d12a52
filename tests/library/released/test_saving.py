"""What is written in Hugging Face's layout is loaded by its library, and by ours, and computes the same."""

import json

import pytest
import torch
from density_cases import randomize
from safetensors.torch import load_file
from torch.testing import assert_close

from transformer_lib.decoding.sampling import generate
from transformer_lib.released import load_gpt2, load_llama, save_pretrained
from transformer_lib.transformer import DecoderLM, Mask, TransformerConfig

SIZES = {"vocab_size": 61, "context_length": 64, "d_model": 32, "n_heads": 4, "n_layers": 2}
LLAMA = {
    "norm_kind": "rms",
    "gated": True,
    "activation": "silu",
    "positions": "rotary",
    "tie_embeddings": False,
}
SHAPES = {
    "ours": {},
    "gpt2": {"bias": True, "activation": "gelu-tanh", "dropout": 0.1},
    "gpt2, biases in part": {"bias": True, "attention_bias": False, "d_ff": 40, "norm_eps": 0.1},
    "gpt2, untied": {"activation": "relu", "tie_embeddings": False, "start_token": 7},
    "llama": LLAMA,
    "llama, shared keys": LLAMA | {"n_kv_heads": 2, "rotary_base": 500.0, "norm_eps": 1e-2},
    "llama, wide heads": LLAMA | {"d_head": 10, "n_kv_heads": 1, "d_ff": 40, "tie_embeddings": True},
    "llama, another gate": LLAMA | {"activation": "gelu-tanh", "start_token": 7},
}

every_shape = pytest.mark.parametrize("shape", SHAPES)


def made(shape, **changes):
    return randomize(DecoderLM(TransformerConfig(**SIZES | SHAPES[shape] | changes)), scale=0.3).eval()


def load(model):
    return load_llama if model.config.positions == "rotary" else load_gpt2


@pytest.mark.slow
@every_shape
def test_hugging_face_loads_it_and_40_greedy_tokens_are_equal(shape, tmp_path):
    transformers = pytest.importorskip("transformers")
    ours = made(shape)
    reference, told = transformers.AutoModelForCausalLM.from_pretrained(
        save_pretrained(ours, tmp_path / "new"), output_loading_info=True
    )
    assert not any(told.values())
    x = torch.randint(61, (3, 20), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        assert_close(reference.eval()(x).logits, ours.logits(x), rtol=1e-4, atol=1e-4)
    prompt = torch.cat([torch.full((3, 1), ours.start_token), x], dim=1)
    expected = reference.generate(
        prompt, max_new_tokens=40, do_sample=False, attention_mask=torch.ones_like(prompt)
    )
    assert reference.config.bos_token_id == ours.start_token
    assert torch.equal(generate(ours, x, 40, temperature=0.0), expected[:, 1:])


@every_shape
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_it_comes_back_as_it_was(shape, dtype, tmp_path):
    model = made(shape).to(dtype)
    again = load(model)(save_pretrained(model, tmp_path))
    x = torch.randint(61, (2, 30), generator=torch.Generator().manual_seed(1))
    assert torch.equal(again.logits(x), model.logits(x)) and again.start_token == model.start_token
    assert {parameter.dtype for parameter in again.parameters()} == {dtype}
    before = load_file(tmp_path / "model.safetensors")
    save_pretrained(again, tmp_path)
    after = load_file(tmp_path / "model.safetensors")
    assert before.keys() == after.keys() and all(torch.equal(before[name], after[name]) for name in before)


@pytest.mark.parametrize(("shape", "name"), [("llama", "rope_theta"), ("gpt2", "layer_norm_epsilon")])
def test_the_stored_continuation_finds_settings_that_were_changed(shape, name, tmp_path):
    model = made(shape)
    path = save_pretrained(model, tmp_path) / "config.json"
    settings = json.loads(path.read_text(encoding="utf-8")) | {name: 1.0}
    if shape == "llama":
        settings["rope_parameters"]["rope_theta"] = 1.0
    path.write_text(json.dumps(settings), encoding="utf-8")
    with pytest.raises(ValueError, match="its settings are not the release's"):
        load(model)(tmp_path)


@pytest.mark.parametrize(("ours", "theirs"), [("attention", "attn"), ("feature", "embd")])
@pytest.mark.parametrize("own", [None, 0.0, 0.3])
def test_a_dropout_of_its_own_is_written_where_it_differs_from_the_rest(ours, theirs, own, tmp_path):
    path = save_pretrained(made("gpt2", dropout=0.1, **{f"{ours}_dropout": own}), tmp_path)
    settings = json.loads((path / "config.json").read_text(encoding="utf-8"))
    written = {name: settings[f"{name}_pdrop"] for name in ("attn", "embd", "resid")}
    assert written == {"attn": 0.1, "embd": 0.1, "resid": 0.1} | ({} if own is None else {theirs: own})


def test_a_model_that_trains_goes_on_training(tmp_path):
    model = made("gpt2").train()
    save_pretrained(model, tmp_path)
    assert all(module.training for module in model.modules())


def test_new_weights_never_stand_beside_older_settings(tmp_path, monkeypatch):
    save_pretrained(made("llama"), tmp_path)
    calls = []

    def fail_at_the_second(path, content):
        calls.append(path)
        if len(calls) == 2:
            raise OSError("the disk is full")
        path.write_bytes(content)

    monkeypatch.setattr("transformer_lib.training.files.write_atomically", fail_at_the_second)
    with pytest.raises(OSError, match="full"):
        save_pretrained(made("llama", n_heads=2), tmp_path)
    with pytest.raises(ValueError, match="no tensor tells"):
        load_llama(tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"norm": "post"}, "no GPT-2 has norm='post'$"),
        ({"positions": "alibi", "gated": True}, "no GPT-2 has gated=True and positions='alibi'$"),
        ({"n_kv_heads": 2}, "no GPT-2 has n_kv_heads=2$"),
        ({"d_head": 10}, "no GPT-2 has d_head=10$"),
        ({"scale_embeddings": True}, "no GPT-2 has scale_embeddings=True$"),
        ({"macaron": True}, "no GPT-2 has macaron=True$"),
        ({"attention_only": True, "tie_embeddings": False}, "no GPT-2 has attention_only=True$"),
        (LLAMA | {"bias": True}, "no Llama has bias=True$"),
        (LLAMA | {"norm_kind": "layer", "gated": False}, "no Llama has norm_kind='layer' and gated=False$"),
    ],
    ids=str,
)
def test_what_neither_family_computes_is_named(changes, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        save_pretrained(DecoderLM(TransformerConfig(**SIZES | changes)), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_other_models_and_broken_weights_are_refused(tmp_path):
    config = TransformerConfig(**SIZES)
    with pytest.raises(ValueError, match="the mask of its configuration"):
        save_pretrained(DecoderLM(config, mask=Mask.window(3)), tmp_path)
    with pytest.raises(ValueError, match="attends to a memory"):
        save_pretrained(DecoderLM(config, cross_attention=True), tmp_path)
    broken = DecoderLM(config)
    with torch.no_grad():
        broken.stack.final_norm.gain[0] = torch.nan
    with pytest.raises(ValueError, match=r"not finite are not written: transformer\.ln_f\.weight"):
        save_pretrained(broken, tmp_path)
    assert not list(tmp_path.iterdir())
