"""With `activation_checkpointing` a run makes the same updates."""

from dataclasses import replace

import pytest
import torch
from drawn import generator, tokens

from transformer_lib.density.nade import NADE
from transformer_lib.text.language_model import RECIPE
from transformer_lib.training import TrainingConfig, language_model_loss, train
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

CONFIG = TrainingConfig(steps=6, schedule="constant", warmup_steps=1, accumulation=2, device="cpu")
AGAIN = replace(CONFIG, activation_checkpointing=True)


class Texts:
    """Tokens drawn by the number of the batch."""

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        text = tokens(4, 9, vocab_size=7, seed=step)
        return text[:, :-1], text[:, 1:]


def decoder() -> DecoderLM:
    return DecoderLM(
        TransformerConfig(7, 8, d_model=16, n_heads=2, n_layers=2, dropout=0.2), generator=generator()
    )


def run(model, config, **options):
    return train(model, language_model_loss, Texts(), config, progress=False, **options)


def test_the_losses_of_a_run_are_the_same_also_where_it_is_changed_on_the_way(tmp_path):
    plain, again, mixed = decoder(), decoder(), decoder()
    expected = run(plain, CONFIG).losses
    entered = []
    again.stack.blocks[1].register_forward_pre_hook(lambda *_: entered.append(1))
    assert run(again, AGAIN).losses == pytest.approx(expected, abs=1e-6)
    assert len(entered) == 6 * 2 * 2, "each block is computed twice for each batch"
    run(mixed, replace(CONFIG, steps=3), run_dir=tmp_path)
    assert run(mixed, AGAIN, run_dir=tmp_path, resume=True).losses == pytest.approx(expected, abs=1e-6)


def test_a_later_run_without_it_keeps_its_activations():
    model = decoder()
    run(model, AGAIN)
    run(model, CONFIG)
    assert not model.stack.recomputes


def test_a_model_without_blocks_is_refused():
    with pytest.raises(
        ValueError, match="activation_checkpointing is for a Transformer's blocks: a NADE has none"
    ):
        run(NADE(2, 3, 8), AGAIN)


def test_it_is_a_setting_that_records_without_it_do_not_name(without_type_checks):
    recipe = RECIPE.with_settings(["activation_checkpointing=true"])
    assert recipe.training.activation_checkpointing is True
    assert recipe.settings()["training"]["activation_checkpointing"] is True
    assert "activation_checkpointing" not in RECIPE.settings()["training"]
    with pytest.raises(ValueError, match="activation_checkpointing must be True or False"):
        TrainingConfig(activation_checkpointing=1)
