"""What today's models changed in the block, against the sources' form at equal parameters (chapter 10).

Each design is a language model of tales with pre-norm blocks. The width inside its position-wise networks
makes up for the parameters that the change saves or costs. Initial weights have GPT-2's deviation of 0.02, or
one of 0.15: in a narrow model, 0.02 makes the product of a gate tiny.
"""

from functools import cache
from pathlib import Path
from typing import Any

import torch

from transformer_lib.data import Corpus, LanguageModelBatches, load_tales, token_stream
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.training import TrainingConfig, evaluate_language_model, language_model_loss, train
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import GPT2_STD, DecoderLM

__all__ = ["DESIGNS", "EXPERIMENT", "RATES", "STDS", "measure", "shape"]

BATCH, STEPS, RATES, STDS = 8, 300, (0.003, 0.01), (0.02, 0.15)
SHAPE: dict[str, Any] = {
    "context_length": 48,
    "d_model": 48,
    "n_heads": 4,
    "n_layers": 2,
    "d_ff": 192,
    "activation": "relu",
}
ROTARY: dict[str, Any] = {"positions": "rotary"}
SWIGLU: dict[str, Any] = {"activation": "silu", "gated": True}
DESIGNS: dict[str, dict[str, Any]] = {
    "sources": {},
    "RMSNorm": {"norm_kind": "rms", "d_ff": 193},
    "SwiGLU": SWIGLU | {"d_ff": 128},
    "rotary": ROTARY | {"d_ff": 204},
    "all three": {"norm_kind": "rms", "d_ff": 137} | SWIGLU | ROTARY,
}
"""What each design changes in the sources' form: pre-norm, LayerNorm, ReLU, learned positions."""


@cache
def tales() -> Corpus:
    """The stories."""
    return load_tales(n_train=6000, n_valid=0, n_test=250, seed=0)


@cache
def streams() -> list[Any]:
    """The tokens to train on, and those to be scored."""
    return [token_stream(part, tales().tokenizer) for part in (tales().train, tales().test)]


def shape(design: str) -> TransformerConfig:
    """The configuration of one of the ``DESIGNS``."""
    words = tales().tokenizer
    return TransformerConfig(
        vocab_size=words.vocab_size, start_token=words.end_token, **SHAPE | DESIGNS[design]
    )


def measure(
    seed: int, folder: Path | None = None, *, design: str, std: float, rate: float, steps: int = STEPS
) -> dict[str, float]:
    """Nats per token on unseen stories, and the number of parameters."""
    config, (stream, unseen) = shape(design), streams()
    model = DecoderLM(config, generator=torch.Generator().manual_seed(seed))
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.mul_(std / GPT2_STD)
    training = TrainingConfig(steps=steps, learning_rate=rate, warmup_steps=steps // 10, device="cpu")
    batches = LanguageModelBatches(stream, BATCH, config.context_length, seed)
    train(model, language_model_loss, batches, training, progress=False)
    return {
        "nats": round(evaluate_language_model(model, unseen, stride=config.context_length // 2).nats, 4),
        "parameters": model.n_parameters(),
    }


def data() -> dict[str, Any]:
    """What a record says about the data."""
    return {"name": "tales", "sha256": tales().sha256, "entropy_rate": tales().entropy_rate}


EXPERIMENT = Experiment(
    name="today",
    chapter=10,
    description="RMSNorm, SwiGLU and rotary positions against the sources' form",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"optimizer": "AdamW", "schedule": "cosine", "steps": STEPS, "batch": BATCH, "shape": SHAPE},
    data=data,
    conditions=tuple(
        {"std": std, "rate": rate, "design": design} for std in STDS for rate in RATES for design in DESIGNS
    ),
)
