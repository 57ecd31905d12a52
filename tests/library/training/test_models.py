"""Every class of models that checkpoints name comes back from its file as it was."""

from dataclasses import replace

import model_cases
import pytest
import torch
from density_cases import randomize
from model_cases import CASES
from torch import nn

from transformer_lib.density.nade import NADE
from transformer_lib.training import CheckpointError, load_checkpoint, load_model, save_checkpoint
from transformer_lib.training.models import MODELS
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.positions import SinusoidalPositions
from transformer_lib.transformer.vision import CrossModalClassifier


def test_each_class_has_a_case():
    assert CASES.keys() == MODELS.keys()


def test_a_model_of_attention_only_comes_back_with_its_fully_connected_layer(tmp_path):
    config = TransformerConfig(7, 6, 8, 2, 1, attention_only=True, bias=True, tie_embeddings=False)
    model = randomize(DecoderLM(config)).eval()
    loaded = load_model(save_checkpoint(tmp_path / "model.safetensors", model))
    assert loaded.config == config
    tokens = torch.tensor([[1, 2, 3]])
    assert torch.equal(loaded.logits(tokens), model.logits(tokens))


@pytest.mark.parametrize("name", CASES)
def test_a_model_comes_back_as_it_was(tmp_path, name):
    model = CASES[name](torch.Generator().manual_seed(1)).eval()
    loaded = load_model(save_checkpoint(tmp_path / "model.safetensors", model))
    assert type(loaded) is type(model) and not loaded.training
    assert MODELS[name].describe(loaded) == MODELS[name].describe(model)
    state = model.state_dict()
    assert loaded.state_dict().keys() == state.keys()
    assert all(torch.equal(value, state[key]) for key, value in loaded.state_dict().items())
    assert sharing(loaded) == sharing(model)


@pytest.mark.parametrize("name", ["Encoder", "Classifier", "EncoderDecoder", "DecoderLM", "ImageTransformer"])
def test_every_transformer_takes_today_s_options_and_comes_back_with_them(tmp_path, monkeypatch, name):
    today = {"n_kv_heads": 1, "norm_kind": "rms", "activation": "silu", "gated": True, "dropout": 0.0}
    for shape in ("SHAPE", "PIXELS"):
        monkeypatch.setattr(model_cases, shape, replace(getattr(model_cases, shape), **today))
    plain, model = CASES[name](None), randomize(CASES[name](None)).eval()
    loaded = load_model(save_checkpoint(tmp_path / "model.safetensors", model))
    inputs = [torch.tensor([[1, 2, 3], [3, 2, 1]])] * (2 if name == "EncoderDecoder" else 1)
    output = loaded(*inputs)
    assert torch.equal(output, model(*inputs)) and not torch.allclose(output, plain(*inputs))
    output.square().sum().backward()
    assert all(parameter.grad is not None for parameter in loaded.parameters())
    assert sum("gate" in parameter for parameter in loaded.state_dict()) >= 1
    assert not any("norm.bias" in parameter for parameter in loaded.state_dict())


def test_a_model_of_images_and_words_takes_today_s_options():
    shape = replace(
        model_cases.SHAPE, n_kv_heads=1, norm_kind="rms", activation="silu", gated=True, dropout=0.0
    )
    model = CrossModalClassifier(shape, 3, 4, 4, 2).eval()
    model(torch.rand(2, 4, 4), torch.tensor([[1, 2], [2, 3]])).sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


def sharing(model: nn.Module) -> list[tuple[str, ...]]:
    """The names of each parameter."""
    names: dict[int, list[str]] = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        names.setdefault(id(parameter), []).append(name)
    return sorted(map(tuple, names.values()))


@pytest.mark.parametrize("activation", ["relu", "sigmoid"])
def test_a_nade_comes_back_with_its_nonlinearity(tmp_path, activation):
    model = randomize(NADE(6, 3, 4, activation=activation))
    x = torch.randint(3, (5, 6), generator=torch.Generator().manual_seed(0))
    back = load_model(save_checkpoint(tmp_path / "nade.safetensors", model))
    assert torch.equal(back(x), model(x))


@pytest.mark.parametrize(
    "options",
    [{"mask": Mask.window(2)}, {"positions": SinusoidalPositions(8, 16)}],
    ids=["mask", "positions"],
)
def test_a_decoder_with_a_mask_or_positions_of_its_own_is_built_by_whoever_saved_it(tmp_path, options):
    config = TransformerConfig(7, 8, d_model=16, n_heads=2, n_layers=1, positions="none")
    model = randomize(DecoderLM(config, **options)).eval()
    path = save_checkpoint(tmp_path / "model.safetensors", model)
    with pytest.raises(
        CheckpointError, match="or has positions or a mask of its own: build the model yourself"
    ):
        load_model(path)
    again = DecoderLM(config, **options).eval()
    load_checkpoint(path).load_into(again)
    x = torch.randint(7, (2, 8), generator=torch.Generator().manual_seed(0))
    assert torch.equal(again(x), model(x))
