"""Networks against counting on the tales, by training and by text: an experiment of chapter 11.

Four kinds of networks have as many parameters as the Transformer that ends chapter 10, within 3%, and one
NADE has more. All read whole stories, each after an end token, and are trained alike; the Kneser-Ney models
that they are compared with cost nothing to fit, and the chapter fits them on the spot.
"""

import time
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.data import TALES
from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.density.nade import NADE
from transformer_lib.experiments.chapter_04 import recurrent_tales
from transformer_lib.experiments.chapter_04.recurrent_tales import validation
from transformer_lib.experiments.chapter_10 import whole_transformer
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

__all__ = ["EXPERIMENT", "KINDS", "STORIES", "NadeReader", "build", "measure", "train"]

KINDS = ("Transformer", "LSTM", "WaveNet", "NADE", "large NADE")
STORIES = (15, 60, 250, 4000)
RATES = {
    "Transformer": (0.03, 0.01),
    "LSTM": (0.03,),
    "WaveNet": (0.003, 0.01),
    "NADE": (0.3, 0.1),
    "large NADE": (0.03, 0.1),
}
"""The last is that of the shortest runs. The LSTM's longer runs are in the record of chapter 4."""

HIDDEN = {"NADE": 1, "large NADE": 16}


class NadeReader(nn.Module):
    """A NADE that reads a start token and predicts the token after each, as the other models do."""

    def __init__(self, nade: NADE) -> None:
        super().__init__()
        self.nade = nade

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The logits of the token after each; NADE's at its place t read the tokens before t alone."""
        return self.nade.conditional_logits(nn.functional.pad(tokens[:, 1:], (0, 1)))


def build(kind: str, generator: torch.Generator) -> nn.Module:
    """One of the ``KINDS``, with random weights."""
    words, places = whole_transformer.tales().tokenizer, TALES.longest() + 1
    start: dict[str, Any] = {"vocab_size": words.vocab_size, "start_token": words.end_token}
    if kind == "LSTM":
        return recurrent_tales.build(kind, generator)
    if kind == "WaveNet":
        return CausalConvLM(ConvConfig(**start, d_model=40, stack_depth=7), generator=generator)
    if kind in HIDDEN:
        return NadeReader(NADE(places, words.vocab_size, HIDDEN[kind], generator=generator))
    config = TransformerConfig(
        **start, context_length=places, d_model=48, n_heads=4, n_layers=2, activation="relu"
    )
    return DecoderLM(config, generator=generator)


def train(seed: int, *, kind: str, stories: int, steps: int, rate: float) -> nn.Module:
    """A model after so many steps on the first stories, a quarter of them at most to warm up."""
    generator = torch.Generator().manual_seed(seed)
    model = build(kind, generator)
    some = whole_transformer.tales().train[:stories]
    whole_transformer.fit(model, generator, steps=steps, rate=rate, warmup=min(50, steps // 4), stories=some)
    return model


def measure(
    seed: int, folder: Path | None = None, *, kind: str, stories: int, steps: int, rate: float
) -> dict[str, float]:
    """Nats per token on the test stories and on those that choose the rate, and what training cost."""
    began = time.process_time()
    model = train(seed, kind=kind, stories=stories, steps=steps, rate=rate)
    return {
        "seconds": round(time.process_time() - began, 2),
        "nats": round(whole_transformer.test_loss(model), 4),
        "valid": round(whole_transformer.test_loss(model, validation()), 4),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
    }


EXPERIMENT = Experiment(
    name="counting",
    chapter=11,
    description="networks of equal size on the tales, to be compared with counting, by steps and by stories",
    measure=measure,
    seeds=(0, 1, 2),
    config={
        "optimizer": "Adam",
        "schedule": "warm-up for 50 steps or a quarter of all, linear to 0",
        "batch": 8,
        "seconds": "of the processor, in training",
    },
    data=lambda: {"name": "tales", "sha256": whole_transformer.tales().sha256},
    conditions=(
        *({"kind": kind, "stories": STORIES[-1], "steps": 50, "rate": RATES[kind][-1]} for kind in KINDS),
        *(
            {"kind": kind, "stories": STORIES[-1], "steps": 200, "rate": Tuned(RATES[kind])}
            for kind in KINDS
            if kind != "LSTM"
        ),
        *(
            {"kind": "Transformer", "stories": stories, "steps": 200, "rate": 0.01}
            for stories in STORIES[:-1]
        ),
    ),
)
