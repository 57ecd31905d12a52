"""The shape of a release is that of its ``config.json``, and what is not computed is named."""

import json
import math

import numpy as np
import pytest
import torch
from density_cases import randomize
from safetensors.torch import save_file
from torch.testing import assert_close

from transformer_lib.released import load_gpt2, load_llama
from transformer_lib.released.tensors import STORED

VOCAB, CONTEXT, D = 61, 17, 32
LLAMA = {
    "model_type": "llama",
    "vocab_size": VOCAB,
    "hidden_size": D,
    "intermediate_size": 40,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": CONTEXT,
    "rms_norm_eps": 1e-3,
    "rope_theta": 500.0,
    "bos_token_id": 1,
}
GPT2 = {
    "model_type": "gpt2",
    "vocab_size": VOCAB,
    "n_positions": CONTEXT,
    "n_embd": D,
    "n_head": 4,
    "n_layer": 2,
    "bos_token_id": 3,
}


def llama_tensors():
    shapes = {"embed_tokens": (VOCAB, D), "norm": (D,), "lm_head": (VOCAB, D)}
    names = ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj"]
    for n in range(2):
        block = {name: (D, D) for name in names} | {"input_layernorm": (D,), "post_attention_layernorm": (D,)}
        block |= {"mlp.gate_proj": (40, D), "mlp.up_proj": (40, D), "mlp.down_proj": (D, 40)}
        shapes |= {f"layers.{n}.{name}": shape for name, shape in block.items()}
    generator = torch.Generator().manual_seed(0)
    prefix = {"lm_head": ""}
    return {
        f"{prefix.get(name, 'model.')}{name}.weight": 0.3 * torch.randn(shape, generator=generator)
        for name, shape in shapes.items()
    }


def gpt2_tensors():
    shapes = {"wte.weight": (VOCAB, D), "wpe.weight": (CONTEXT, D), "ln_f.weight": (D,), "ln_f.bias": (D,)}
    linear = {
        "attn.c_attn": (D, 3 * D),
        "attn.c_proj": (D, D),
        "mlp.c_fc": (D, 4 * D),
        "mlp.c_proj": (4 * D, D),
    }
    for n in range(2):
        for name, shape in (linear | {"ln_1": (D,), "ln_2": (D,)}).items():
            shapes |= {f"h.{n}.{name}.weight": shape, f"h.{n}.{name}.bias": shape[-1:]}
    generator = torch.Generator().manual_seed(0)
    return {name: 0.3 * torch.randn(shape, generator=generator) for name, shape in shapes.items()}


RELEASES = {"llama": (load_llama, llama_tensors, LLAMA), "gpt2": (load_gpt2, gpt2_tensors, GPT2)}


def without(values):
    return {name: value for name, value in values.items() if value is not ...}


def theirs(family, **changes):
    transformers = pytest.importorskip("transformers")
    if family == "llama":
        config = transformers.LlamaConfig(**without(LLAMA | {"eos_token_id": None} | changes))
        model = transformers.LlamaForCausalLM(config)
    else:
        config = transformers.GPT2Config(**without(GPT2 | {"eos_token_id": None} | changes))
        model = transformers.GPT2LMHeadModel(config)
    return randomize(model, scale=0.3).eval()


CASES = [
    ("llama", {}),
    ("llama", {"num_attention_heads": 8}),
    ("llama", {"num_attention_heads": 8, "num_key_value_heads": 2}),
    ("llama", {"head_dim": 10}),
    ("llama", {"rope_theta": 90000.0}),
    ("llama", {"hidden_act": "gelu_pytorch_tanh"}),
    ("llama", {"tie_word_embeddings": True}),
    ("gpt2", {}),
    ("gpt2", {"n_head": 2}),
    ("gpt2", {"activation_function": "gelu"}),
    ("gpt2", {"layer_norm_epsilon": 0.1}),
    ("gpt2", {"tie_word_embeddings": False}),
    ("gpt2", {"n_inner": 40}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("family", "changes"), CASES, ids=str)
def test_a_folder_of_hugging_face_has_its_logits_without_a_word_about_its_shape(family, changes, tmp_path):
    reference = theirs(family, **changes)
    reference.save_pretrained(tmp_path)
    x = torch.randint(VOCAB, (3, CONTEXT), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        expected = reference(x).logits
        for source in (tmp_path, tmp_path / "model.safetensors"):
            ours = RELEASES[family][0](source)
            assert_close(ours.logits(x), expected, rtol=1e-4, atol=1e-4)
    assert ours.config.start_token == (1 if family == "llama" else 3)


@pytest.mark.parametrize("family", RELEASES)
def test_settings_are_taken_from_beside_the_file_from_elsewhere_or_by_name(family, tmp_path):
    load, tensors, values = RELEASES[family]
    save_file(tensors(), tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text(json.dumps(values), encoding="utf-8-sig")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.json").write_text(json.dumps(values), encoding="utf-8")
    configs = [
        load(tmp_path / "model.safetensors").config,
        load(tmp_path / "model.safetensors", tmp_path / "other" / "config.json").config,
        load(tensors(), values).config,
    ]
    assert configs[0] == configs[1] == configs[2]
    assert configs[0].n_heads == 4 and load(tensors(), values, start_token=7).config.start_token == 7


@pytest.mark.parametrize(
    ("family", "name", "theirs"), [("llama", "rms_norm_eps", 1e-6), ("gpt2", "layer_norm_epsilon", 1e-5)]
)
def test_without_an_epsilon_a_model_has_the_one_of_hugging_face(family, name, theirs):
    load, tensors, values = RELEASES[family]
    assert load(tensors(), values | {name: 1e-3}).config.norm_eps == 1e-3
    assert load(tensors(), without(values | {name: ...})).config.norm_eps == theirs


@pytest.mark.parametrize(
    ("family", "changes"),
    [
        ("llama", {"tie_word_embeddings": None, "hidden_act": None}),
        ("llama", {"rope_theta": None}),
        ("llama", {"rope_theta": None, "rope_parameters": {"rope_type": "default"}}),
        ("llama", {"rope_theta": None, "rope_parameters": {"rope_type": None, "rope_theta": None}}),
        ("llama", {"rope_scaling": {"type": None, "partial_rotary_factor": None}}),
        ("gpt2", {"tie_word_embeddings": None, "activation_function": None, "n_inner": None}),
    ],
    ids=str,
)
def test_null_leaves_a_setting_out(family, changes):
    load, tensors, values = RELEASES[family]
    left_out = {name: ... for name, value in changes.items() if value is None}
    expected = load(tensors(), without(values | left_out)).config
    assert load(tensors(), values | changes).config == expected


def test_the_base_of_the_angles_stands_in_older_and_in_newer_settings():
    older = without(LLAMA | {"rope_theta": 77.0})
    newer = without(
        LLAMA | {"rope_theta": ..., "rope_parameters": {"rope_type": "default", "rope_theta": 77.0}}
    )
    assert [load_llama(llama_tensors(), given).config.rotary_base for given in (older, newer)] == [77.0, 77.0]


def test_a_llama_is_tied_if_its_settings_say_so_and_without_settings_if_it_has_no_head():
    weights = llama_tensors()
    del weights["lm_head.weight"]
    given = {"n_heads": 4, "context_length": CONTEXT, "start_token": 1}
    given |= {"rotary_base": 500.0, "norm_eps": 1e-3}
    tied = [load_llama(weights, LLAMA | {"tie_word_embeddings": True}), load_llama(weights, **given)]
    tied.append(load_llama(weights, LLAMA, tie_embeddings=True))
    assert all(model.config.tie_embeddings and model.head is None for model in tied)
    for unsaid in ({}, {"tie_word_embeddings": None}, {"tie_word_embeddings": False}):
        with pytest.raises(ValueError, match=r"missing: lm_head\.weight$"):
            load_llama(weights, LLAMA | unsaid)
    weights["lm_head.weight"] = weights["model.embed_tokens.weight"]
    assert not load_llama(weights, LLAMA).config.tie_embeddings
    assert load_llama(weights, **given).config.tie_embeddings


def test_a_gpt2_whose_settings_do_not_speak_of_its_head_is_tied():
    weights = gpt2_tensors()
    assert load_gpt2(weights, GPT2).config.tie_embeddings
    weights["lm_head.weight"] = weights["wte.weight"] + 1
    for unsaid in ({}, {"tie_word_embeddings": None}):
        with pytest.raises(
            ValueError, match="tie_word_embeddings is left out, which means true, yet lm_head"
        ):
            load_gpt2(weights, GPT2 | unsaid)


@pytest.mark.parametrize("family", RELEASES)
def test_what_no_tensor_tells_is_not_guessed(family):
    load, tensors, _ = RELEASES[family]
    with pytest.raises(ValueError, match=r"^no tensor tells n_heads and .*start_token: put .*config\.json"):
        load(tensors())


def test_no_value_of_a_llama_that_no_tensor_tells_is_guessed():
    given = {"n_heads": 4, "context_length": CONTEXT, "start_token": 1}
    given |= {"rotary_base": 500.0, "norm_eps": 1e-3}
    assert load_llama(llama_tensors(), **given).config.norm_eps == 1e-3
    for name in given:
        others = {key: value for key, value in given.items() if key != name}
        with pytest.raises(ValueError, match=f"^no tensor tells {name}: "):
            load_llama(llama_tensors(), **others)


@pytest.mark.parametrize(
    ("family", "change", "message"),
    [
        ("llama", {"model_type": "mistral"}, "model_type is 'mistral'; only 'llama' is computed here"),
        ("llama", {"model_type": "gemma"}, "model_type is 'gemma'"),
        ("llama", {"model_type": ...}, "model_type is None"),
        ("llama", {"rope_scaling": {"rope_type": "llama3", "factor": 8.0}}, "rope_scaling=.*rescales angles"),
        ("llama", {"rope_scaling": {"type": "linear", "factor": 2.0}}, "rope_scaling=.*rescales angles"),
        (
            "llama",
            {"rope_parameters": {"rope_type": "yarn", "rope_theta": 5.0}},
            "rope_parameters=.*rescales",
        ),
        ("llama", {"rope_scaling": "linear"}, "rope_scaling must be settings by name, got 'linear'"),
        ("llama", {"rope_theta": 0}, "rotary_base must be a finite number above 0, got 0"),
        ("llama", {"partial_rotary_factor": 0.5}, "partial_rotary_factor=0.5 is not computed here, only 1.0"),
        ("llama", {"attention_bias": True}, "attention_bias=True is not computed here"),
        ("llama", {"hidden_act": "relu2"}, "hidden_act='relu2' is not computed here, only 'gelu_new'"),
        ("llama", {"head_dim": 16}, r"q_proj\.weight \(32, 32\), not \(64, 32\)"),
        ("llama", {"num_key_value_heads": 2}, r"k_proj\.weight \(32, 32\), not \(16, 32\)"),
        ("llama", {"vocab_size": VOCAB - 1}, r"embed_tokens\.weight \(61, 32\), not \(60, 32\)"),
        ("llama", {"tie_word_embeddings": True}, "tie_word_embeddings is true, yet lm_head is not"),
        ("llama", {"bos_token_id": None}, "config lacks bos_token_id$"),
        ("llama", {"num_attention_heads": ..., "bos_token_id": ...}, "num_attention_heads and bos_token_id$"),
        ("llama", {"quantization_config": {"bits": 4}}, "quantization_config=.* is not computed here"),
        ("llama", {"auto_map": {"AutoModel": "theirs.Model"}}, "auto_map=.* is not computed here"),
        ("gpt2", {"model_type": "imagegpt"}, "model_type is 'imagegpt'; only 'gpt2'"),
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx=True is not"),
        ("gpt2", {"scale_attn_weights": False}, "scale_attn_weights=False is not computed here, only True"),
        ("gpt2", {"add_cross_attention": True}, "add_cross_attention=True"),
        ("gpt2", {"activation_function": "gelu_10"}, "activation_function='gelu_10' is not computed here"),
        ("gpt2", {"n_head": 5}, "d_model=32 is not a multiple of n_heads=5"),
        (
            "gpt2",
            {"bos_token_id": 50256},
            "start_token must be a token, a whole number from 0 to 60, got 50256",
        ),
        ("gpt2", {"tie_word_embeddings": False}, r"missing: lm_head\.weight$"),
        ("gpt2", {"tie_word_embeddings": "no"}, "tie_word_embeddings must be True or False, got 'no'"),
    ],
    ids=str,
)
def test_what_is_not_computed_is_refused_in_one_line_that_names_it(family, change, message):
    load, tensors, values = RELEASES[family]
    with pytest.raises(ValueError, match=message) as caught:
        load(tensors(), without(values | change))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "\x80", "[" * 100_000])
def test_a_file_without_settings_is_named(text, tmp_path):
    (tmp_path / "config.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"config\.json (cannot be read as|holds no)"):
        load_llama(llama_tensors(), tmp_path / "config.json")


@pytest.mark.parametrize("family", RELEASES)
def test_a_given_prompt_finds_settings_of_another_release(family):
    load, tensors, values = RELEASES[family]
    weights, values = tensors(), values | {"tie_word_embeddings": False}
    weights["lm_head.weight"] = torch.randn(VOCAB, D, generator=torch.Generator().manual_seed(2))
    right, read = load(weights, values), torch.tensor([[1, 2, 3, 4, 5]])
    while read.shape[1] < CONTEXT:
        read = torch.cat([read, right.logits(read)[:, -1:].argmax(-1)], dim=1)
    tokens = read[0].tolist()
    load(weights, values, check=(tokens[:5], tokens[5:]))
    heads = {"num_attention_heads": 2} if family == "llama" else {"n_head": 2}
    for wrong in (heads, {"rope_theta": 1e6} if family == "llama" else {"activation_function": "tanh"}):
        with pytest.raises(ValueError, match=r"after the tokens \[1, 2, 3, 4, 5.* the loaded model predicts"):
            load(weights, values | wrong, check=(tokens[:5], tokens[5:]))


@pytest.mark.parametrize("family", RELEASES)
def test_a_model_that_predicts_no_numbers_does_not_pass_a_prompt(family):
    load, tensors, values = RELEASES[family]
    weights = tensors()
    weights[next(name for name in weights if "embed_tokens" in name or "wte" in name)][3] = math.nan
    with pytest.raises(ValueError, match=r"after the tokens \[3, 1"):
        load(weights, values, check=([3, 1], [2]))


@pytest.mark.parametrize("family", RELEASES)
@pytest.mark.parametrize(
    ("check", "told"),
    [
        (([1, 2], []), "check must be a prompt and its continuation, each of at least one token"),
        (([], [3]), "check must be a prompt and its continuation"),
        (([], [3, 4]), "check must be a prompt and its continuation"),
        ([1, 2, 3], "check must be a prompt and its continuation"),
        (([1], [2], [3]), "check must be a prompt and its continuation"),
        ((torch.tensor(1), [2]), "check must be a prompt and its continuation"),
        (7, "check must be a prompt and its continuation"),
        (([1, VOCAB], [2]), f"each token of check must be .* from 0 to {VOCAB - 1}, got {VOCAB}"),
        (([1], [2, VOCAB]), f"each token of check must be .* from 0 to {VOCAB - 1}, got {VOCAB}"),
        (([1], [-1]), "each token of check must be .*, got -1"),
        (([1], [2.5]), "each token of check must be .*, got 2.5"),
        (("ab", "c"), "each token of check must be .*, got 'a'"),
        (([1] * CONTEXT, [2, 3]), f"reads at most {CONTEXT} tokens; got {CONTEXT + 1}"),
    ],
    ids=str,
)
def test_a_prompt_that_is_none_is_refused_in_one_line(family, check, told, without_type_checks):
    load, tensors, values = RELEASES[family]
    with pytest.raises(ValueError, match=told) as caught:
        load(tensors(), values, check=check)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", [list, torch.tensor, np.array])
def test_a_prompt_may_be_of_any_kind_of_numbers(kind, without_type_checks):
    follows = int(load_llama(llama_tensors(), LLAMA).logits(torch.tensor([[1, 2]]))[0, -1].argmax())
    load_llama(llama_tensors(), LLAMA, check=(kind([1, 2]), kind([follows])))


@pytest.mark.parametrize("stored", ["[[], []]", "[[0, 1], [2]]", "[[0], [61]]", '["a", "b"]', "[1, 2]"])
def test_predictions_that_are_damaged_in_the_file_are_named(stored, tmp_path, without_type_checks):
    save_file(llama_tensors(), tmp_path / "model.safetensors", metadata={STORED: stored})
    with pytest.raises(ValueError, match=f"{STORED} in the file"):
        load_llama(tmp_path, LLAMA)
