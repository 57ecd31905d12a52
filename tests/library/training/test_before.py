"""What was saved by an earlier version of the library loads, computes the same, and can be resumed."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from transformer_lib.__main__ import main
from transformer_lib.training import (
    TrainingConfig,
    language_model_loss,
    load_checkpoint,
    load_model,
    train,
)
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

BEFORE = Path(__file__).parent / "before"
MODELS = sorted(BEFORE.glob("*.safetensors"))


class Counting:
    """Sequences that count upwards modulo 7."""

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        starts = torch.randint(9, (2, 1), generator=torch.Generator().manual_seed(step))
        tokens = (starts + torch.arange(9)) % 7
        return tokens[:, :-1], tokens[:, 1:]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_model_computes_what_it_computed_when_it_was_saved(path: Path) -> None:
    tensors, model = load_checkpoint(path).tensors, load_model(path)
    inputs = [tensors[f"input.{number}"] for number in range(len(tensors) - 1)]
    with torch.no_grad():
        output = model(*inputs)
    output = output[0] if isinstance(output, tuple) else output
    torch.testing.assert_close(output, tensors["output"], rtol=1e-5, atol=1e-5)


def test_a_run_that_was_stopped_goes_on_to_the_losses_it_would_have_had(tmp_path: Path) -> None:
    folder = shutil.copytree(BEFORE / "run", tmp_path / "run")
    config = TrainingConfig.from_dict(load_checkpoint(folder / "last.safetensors").training["config"])
    result = train(
        DecoderLM(TransformerConfig(7, 8, d_model=8, n_heads=2, n_layers=2, dropout=0.1)),
        language_model_loss,
        Counting(),
        replace(config, steps=12),
        evaluate=lambda model: language_model_loss(model, Counting().batch(10_000)).item(),
        run_dir=folder,
        resume=True,
        progress=False,
    )
    expected = json.loads((BEFORE / "run" / "losses.json").read_text(encoding="utf-8"))
    assert result.losses == pytest.approx(expected, rel=1e-5)


def test_a_run_of_the_command_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(BEFORE / "command-run", tmp_path / "command-run")
    shutil.copy(BEFORE / "text.txt", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["train", "--resume", "--steps", "12", "--run-dir", "command-run", "--quiet"]) == 0
    curve = json.loads((tmp_path / "command-run" / "record.json").read_text(encoding="utf-8"))["curve"]
    expected = json.loads((BEFORE / "curve.json").read_text(encoding="utf-8"))
    assert [point["step"] for point in curve] == [point["step"] for point in expected]
    for point, right in zip(curve, expected):
        assert point["validation_loss"] == pytest.approx(right["validation_loss"], rel=1e-5)
