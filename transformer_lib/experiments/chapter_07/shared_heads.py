"""What it costs a small language model that its heads share keys and values: an experiment of chapter 7."""

from pathlib import Path
from typing import Any

import torch

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared import small_tales
from transformer_lib.experiments.shared.small_tales import data, tales
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

__all__ = ["EXPERIMENT", "RATES", "SHARED", "STEPS", "build", "measure"]

WINDOW, BATCH, D_MODEL, N_HEADS, D_FF = 48, 12, 48, 4, 96
SHARED, RATES, STEPS = (4, 2, 1), (0.003, 0.01), (150, 300)


def build(n_kv_heads: int, seed: int) -> DecoderLM:
    """A model of two blocks; what fewer heads of keys and values save goes to the position-wise network."""
    d_head = D_MODEL // N_HEADS
    shape = TransformerConfig(
        vocab_size=tales().tokenizer.vocab_size,
        context_length=WINDOW,
        d_model=D_MODEL,
        n_heads=N_HEADS,
        n_kv_heads=n_kv_heads,
        n_layers=2,
        d_ff=D_FF + (N_HEADS - n_kv_heads) * d_head,
    )
    return DecoderLM(shape, generator=torch.Generator().manual_seed(seed))


def measure(seed: int, folder: Path | None = None, *, n_kv_heads: int, rate: float) -> dict[str, Any]:
    """Nats per token on unseen stories after each of ``STEPS`` of Adam at a constant rate."""
    stream, held_out = small_tales.streams(n_test=150)
    model, generator = build(n_kv_heads, seed), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    unseen = small_tales.cut(held_out, WINDOW)
    found = {}
    for step in range(1, STEPS[-1] + 1):
        inputs, targets = small_tales.draw(stream, BATCH, WINDOW, generator)
        small_tales.take_step(optimizer, small_tales.nats(model.logits, inputs, targets))
        if step in STEPS:
            with torch.no_grad():
                found[str(step)] = {"nats": round(small_tales.nats(model.logits, *unseen).item(), 4)}
    return found


EXPERIMENT = Experiment(
    name="shared-heads",
    chapter=7,
    description="a small language model whose four heads have four, two or one head of keys and values",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"optimizer": "Adam", "batch": BATCH, "window": WINDOW, "d_model": D_MODEL, "steps": STEPS},
    data=data,
    conditions=tuple({"n_kv_heads": n, "rate": rate} for n in SHARED for rate in RATES),
)
