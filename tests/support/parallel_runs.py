"""Small training runs, made by one process in the tests, or by several when this file is launched.

torchrun --standalone --nproc-per-node=2 tests/support/parallel_runs.py FOLDER NAME...
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from transformer_lib.training import (
    Record,
    TrainingConfig,
    checkpoints,
    is_main_process,
    language_model_loss,
    save_checkpoint,
    train,
    write_record,
)
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

CONFIG = TrainingConfig(
    steps=8,
    learning_rate=1e-2,
    schedule="constant",
    warmup_steps=2,
    clip_norm=0.3,
    evaluate_every=2,
    checkpoint_every=4,
    device="cpu",
)
BEST_STEP = 6


class PaddedCounting:
    """Sequences that count upwards modulo 7, their targets padded with -100 from a random place on."""

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        generator = torch.Generator().manual_seed(step)
        tokens = (torch.randint(7, (4, 1), generator=generator) + torch.arange(9)) % 7
        inputs, targets = tokens[:, :-1], tokens[:, 1:].clone()
        targets[torch.arange(8) >= torch.randint(9, (4, 1), generator=generator)] = -100
        return inputs, targets


class OnlyPadding:
    """Every second batch has nothing to predict."""

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        inputs, targets = PaddedCounting().batch(step)
        return inputs, torch.full_like(targets, -100) if step % 2 else targets


def decoder(dropout: float = 0.0) -> DecoderLM:
    """Two blocks and untied odd sizes, so that shards are uneven."""
    config = TransformerConfig(7, 8, d_model=12, n_heads=2, n_layers=2, d_ff=13, dropout=dropout)
    return DecoderLM(config, generator=torch.Generator().manual_seed(0))


def falling_until_best() -> Callable[[nn.Module], float]:
    """An evaluation that is lowest after :data:`BEST_STEP`, and higher in every process but the first."""
    scores = iter(abs(step - BEST_STEP) for step in range(2, 1000, 2))
    return lambda model: next(scores) + (0.0 if is_main_process() else 100.0)


def run(run_dir: Path, *, batches: Any = None, dropout: float = 0.0, resume: bool = False, **changes: Any):
    model = decoder(dropout)
    if not is_main_process():
        nn.init.zeros_(model.token_embedding.weight)
    result = train(
        model,
        language_model_loss,
        batches or PaddedCounting(),
        replace(CONFIG, **changes),
        evaluate=None if resume else falling_until_best(),
        run_dir=run_dir,
        resume=resume,
        progress=False,
    )
    return model, result


RUNS: dict[str, dict[str, Any]] = {
    "ddp": {"accumulation": 2},
    "fsdp": {"accumulation": 2, "sharding": "fsdp"},
    "ddp_dropout": {"dropout": 0.5},
    "fsdp_bf16": {"sharding": "fsdp", "precision": "bf16", "dropout": 0.5},
    "ddp_recomputed": {"accumulation": 2, "dropout": 0.5, "activation_checkpointing": True},
    "fsdp_recomputed": {"sharding": "fsdp", "dropout": 0.5, "activation_checkpointing": True},
    "ddp_muon": {"accumulation": 2, "optimizer": "muon"},
    "ddp_only_padding": {"batches": OnlyPadding()},
    "ddp_half": {"steps": 4},
    "fsdp_half": {"steps": 4, "sharding": "fsdp"},
    "ddp_resumes_one": {"resume": True},
    "fsdp_resumes_one": {"resume": True, "sharding": "fsdp", "keep_last": 2},
}


def save_what_is_left(folder: Path, name: str, model: nn.Module, losses: list[float], rank: int) -> None:
    tensors = {"losses": torch.tensor(losses, dtype=torch.float64)}
    save_checkpoint(folder / f"{name}.rank{rank}.safetensors", model, tensors=tensors)


def main(folder: Path, names: list[str]) -> None:
    written: list[Path] = []
    replace_whole = checkpoints.replace_whole
    checkpoints.replace_whole = lambda path, write: written.append(path) or replace_whole(path, write)
    for name in names:
        model, result = run(folder / name, **RUNS[name])
        record = Record.of_run(config={}, data={}, seeds=[0], minutes=0.0, curve=[], result={})
        write_record(folder / name / "record.json", record)
        rank = torch.distributed.get_rank()
        assert bool(written) == (rank == 0), f"process {rank} wrote {written}"
        save_what_is_left(folder, name, model, result.losses, rank)
        written.clear()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(Path(sys.argv[1]), sys.argv[2:])
