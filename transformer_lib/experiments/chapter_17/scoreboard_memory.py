"""The last row of the scoreboard: a Transformer-XL that reads ordinary stories in pieces. Chapter 17."""

from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.experiments.shared import small_tales, thank_you
from transformer_lib.experiments.shared.small_tales import tales
from transformer_lib.transformer.transformer_xl import TransformerXL, TransformerXLConfig

__all__ = ["EXPERIMENT", "Pieces", "build", "measure"]

SEGMENT, STEPS = 32, 4000


class Pieces(nn.Module):
    """A Transformer-XL that reads a window in pieces of ``SEGMENT`` words; no gradient crosses a cut."""

    def __init__(self, network: TransformerXL) -> None:
        super().__init__()
        self.network = network

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The logits of the token after each."""
        state, logits = None, []
        for piece in tokens.split(SEGMENT, dim=1):
            found, state = self.network.logits_and_state(piece, state)
            logits.append(found)
        return torch.cat(logits, dim=1)


def build(generator: torch.Generator) -> Pieces:
    """A network of the width and depth of the scoreboard's GPT, whose memory is a window long."""
    words = tales().tokenizer
    config = TransformerXLConfig(
        words.vocab_size,
        thank_you.CONTEXT,
        d_model=128,
        n_heads=4,
        n_layers=2,
        norm="pre",
        activation="gelu",
        start_token=words.end_token,
    )
    return Pieces(TransformerXL(config, generator=generator))


def measure(
    seed: int, folder: Path | None = None, *, model: str, steps: int = STEPS, rate: float
) -> dict[str, Any]:
    """What :func:`~transformer_lib.experiments.shared.thank_you.score` says of a trained network."""
    generator = torch.Generator().manual_seed(seed)
    network = build(generator)
    curve = small_tales.fit_to_the_best(
        network,
        small_tales.streams()[0],
        thank_you.valid_nats,
        generator,
        n_windows=16,
        length=thank_you.CONTEXT,
        steps=steps,
        rate=rate,
    )
    best = min(curve, key=lambda point: point["valid"])
    size = sum(parameter.numel() for parameter in network.parameters())
    return {
        "chapter": 17,
        "parameters": size,
        "best_step": best["step"],
        **thank_you.score(network),
        "curve": curve,
    }


EXPERIMENT = Experiment(
    name="scoreboard-memory",
    chapter=17,
    description="after “thank you ,” who? A Transformer-XL that reads a story in pieces",
    measure=measure,
    seeds=(0, 1, 2),
    config={
        **{"optimizer": "Adam", "schedule": "100 steps of warm-up"},
        **{"batch": 16, "window": thank_you.CONTEXT, "segment": SEGMENT},
    },
    data=small_tales.data,
    conditions=({"model": "Transformer-XL", "steps": STEPS, "rate": Tuned((0.001, 0.003, 0.01))},),
)
