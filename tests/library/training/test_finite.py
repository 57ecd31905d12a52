"""NaN and infinity never take the place of weights that were good, and what holds them is not used."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import nn

from transformer_lib.training import (
    BEST,
    LAST,
    CheckpointError,
    TrainingConfig,
    TrainingResult,
    language_model_loss,
    load_checkpoint,
    load_model,
    save_checkpoint,
    snapshots,
    train,
)
from transformer_lib.training import loop as loop_module
from transformer_lib.training.finite import check_finite, first_not_finite
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

CONFIG = TrainingConfig(
    steps=12, learning_rate=1e-2, warmup_steps=4, evaluate_every=4, checkpoint_every=3, device="cpu"
)
POISONS = [math.nan, math.inf, -math.inf]


class Counting:
    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        starts = torch.randint(6, (4, 1), generator=torch.Generator().manual_seed(step))
        tokens = (starts + torch.arange(9)) % 6
        return tokens[:, :-1], tokens[:, 1:]


def decoder() -> DecoderLM:
    config = TransformerConfig(7, 8, d_model=16, n_heads=2, n_layers=1)  # token 6 never occurs
    return DecoderLM(config, generator=torch.Generator().manual_seed(0))


def run(model: DecoderLM, folder: Path | None, **options: object) -> TrainingResult:
    def loss(model: DecoderLM) -> float:
        return language_model_loss(model, Counting().batch(99)).item()

    settings: dict = {"evaluate": loss, "config": CONFIG, "progress": False} | options
    return train(model, language_model_loss, Counting(), run_dir=folder, **settings)


def poison_after(patch: pytest.MonkeyPatch, step: int, value: float) -> None:
    """One entry of the weights becomes ``value`` in an update of which the loss is still finite."""
    update = loop_module._Run.update

    def poisoned(self: loop_module._Run) -> None:
        update(self)
        if self.step == step:
            with torch.no_grad():
                next(self.model.parameters()).view(-1)[-1] = value

    patch.setattr(loop_module._Run, "update", poisoned)


@pytest.mark.parametrize("value", POISONS)
def test_the_first_tensor_that_is_not_finite_is_named(value: float) -> None:
    tensors = {"a": torch.ones(2), "b": torch.tensor([[1.0, value]]), "c": torch.tensor([value])}
    assert first_not_finite(tensors) == "b"
    assert first_not_finite({"whole": torch.arange(3), "a": torch.zeros(0)}) is None


def test_a_mask_in_a_buffer_may_be_infinite() -> None:
    model = nn.Linear(2, 2)
    model.register_buffer("mask", torch.tensor([0.0, -math.inf]))
    check_finite(model)


@pytest.mark.parametrize("value", POISONS)
def test_a_save_leaves_the_good_file_as_it_was(tmp_path: Path, value: float) -> None:
    model = decoder()
    path = save_checkpoint(tmp_path / "a.safetensors", model)
    before = path.read_bytes()
    with torch.no_grad():
        list(model.parameters())[-1].view(-1)[0] = value
    with pytest.raises(FloatingPointError, match=r"are not finite .*lower learning_rate"):
        save_checkpoint(path, model)
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["a.safetensors"]


@pytest.mark.parametrize("options", [{}, {"evaluate": None}, {"config": replace(CONFIG, keep_last=2)}])
@pytest.mark.parametrize("step", [4, 5, 6, 12])
def test_a_run_that_diverges_keeps_good_weights_and_goes_on_from_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict, step: int
) -> None:
    expected = run(decoder(), None, **options)
    with monkeypatch.context() as patch:
        poison_after(patch, step, math.nan)
        with pytest.raises(FloatingPointError, match=r"nan|not finite"):
            run(decoder(), tmp_path, **options)
    for path in tmp_path.glob("*.safetensors"):
        assert first_not_finite(load_file(path)) is None, path.name
    assert load_checkpoint(tmp_path / LAST).training["steps"] == (step - 1) // 3 * 3
    assert run(decoder(), tmp_path, resume=True, **options).losses == expected.losses


def test_weights_that_no_evaluation_sees_are_checked_too(tmp_path: Path, monkeypatch) -> None:
    poison_after(monkeypatch, 12, math.nan)  # the last update, and no evaluation looks at it
    with pytest.raises(FloatingPointError, match="the weights after step 12 are not finite"):
        run(decoder(), None, evaluate=lambda model: 1.0)


def poisoned_file(path: Path) -> None:
    """A checkpoint as an older version has saved it from a run that diverged."""
    checkpoint, model = load_checkpoint(path), decoder()
    checkpoint.load_into(model)
    with torch.no_grad(), pytest.MonkeyPatch.context() as patch:
        next(model.parameters()).view(-1)[0] = math.nan
        patch.setattr("transformer_lib.training.checkpoints.check_finite", lambda model: None)
        save_checkpoint(path, model, training=checkpoint.training, tensors=checkpoint.tensors)


def test_what_is_not_finite_is_not_loaded_as_a_model(tmp_path: Path) -> None:
    run(decoder(), tmp_path)
    poisoned_file(tmp_path / BEST)
    with pytest.raises(CheckpointError, match=r"best\.safetensors holds weights that are not finite"):
        load_model(tmp_path)


def test_a_run_whose_last_weights_are_not_finite_goes_back_to_the_best_and_says_so(tmp_path, caplog) -> None:
    config = replace(CONFIG, keep_last=3)
    whole = run(decoder(), tmp_path, config=config)
    poisoned_file(tmp_path / LAST)
    poisoned_file(snapshots(tmp_path)[-1])  # of the last step
    best = load_checkpoint(tmp_path / BEST).training["best"]["step"]
    if best == 12:
        poisoned_file(tmp_path / BEST)
        with pytest.raises(CheckpointError, match="not finite"):
            run(decoder(), tmp_path, config=config, resume=True)
        (tmp_path / BEST).write_bytes(snapshots(tmp_path)[-2].read_bytes())
    again = run(decoder(), tmp_path, config=config, resume=True)
    assert "holds weights that are not finite" in caplog.text
    assert "after step 8" in caplog.text
    assert again.steps == 12
    assert again.losses[:8] == whole.losses[:8]
    assert first_not_finite(load_file(tmp_path / LAST)) is None


def test_a_run_without_good_weights_is_refused(tmp_path: Path) -> None:
    run(decoder(), tmp_path, evaluate=None)
    poisoned_file(tmp_path / LAST)
    with pytest.raises(CheckpointError, match=r"last\.safetensors holds weights that are not finite"):
        run(decoder(), tmp_path, evaluate=None, resume=True)
