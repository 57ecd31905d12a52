"""A small training run that says which batch it reads and saves large files at every step.

python tests/soak/killed_run.py RUN_DIR
"""

import sys
from pathlib import Path

import torch

from transformer_lib.training import TrainingConfig, TrainingResult, language_model_loss, train
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

STEPS = 12
CONFIG = TrainingConfig(
    steps=STEPS, learning_rate=3e-3, warmup_steps=3, evaluate_every=2, checkpoint_every=1, device="cpu"
)
VOCAB = 4000


class Counting:
    """Sequences that count upwards from a random start; with `says`, each batch's number goes to stdout."""

    def __init__(self, says: bool = False) -> None:
        self.says = says

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        if self.says:
            print(step, flush=True)
        starts = torch.randint(9, (2, 1), generator=torch.Generator().manual_seed(step))
        tokens = starts + torch.arange(9)
        return tokens[:, :-1], tokens[:, 1:]


def run(run_dir: Path, *, resume: bool = False, says: bool = False) -> tuple[DecoderLM, TrainingResult]:
    config = TransformerConfig(VOCAB, 8, d_model=256, n_heads=4, n_layers=1, dropout=0.1)
    model = DecoderLM(config, generator=torch.Generator().manual_seed(0))
    result = train(
        model,
        language_model_loss,
        Counting(says),
        CONFIG,
        evaluate=lambda model: language_model_loss(model, Counting().batch(10_000)).item(),
        run_dir=run_dir,
        resume=resume,
        progress=False,
    )
    return model, result


if __name__ == "__main__":
    torch.set_num_threads(1)
    run(Path(sys.argv[1]), says=True)
