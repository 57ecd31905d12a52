"""What it costs a small language model that its heads share keys and values: an experiment of chapter 7."""

from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from transformer_lib.data import token_stream
from transformer_lib.experiments.questions import data, tales
from transformer_lib.experiments.runner import Experiment
from transformer_lib.transformer import DecoderLM, TransformerConfig

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
    encode = tales().tokenizer
    stream, held_out = (
        torch.from_numpy(token_stream(part, encode)) for part in (tales().train, tales().test[:150])
    )
    model, generator = build(n_kv_heads, seed), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    whole = (len(held_out) - 1) // WINDOW * WINDOW
    unseen, targets = held_out[:whole].view(-1, WINDOW), held_out[1 : whole + 1]
    found = {}
    for step in range(1, STEPS[-1] + 1):
        start = torch.randint(len(stream) - WINDOW, (BATCH, 1), generator=generator)
        window = stream[start + torch.arange(WINDOW + 1)]
        loss = F.cross_entropy(model.logits(window[:, :-1]).flatten(0, 1), window[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step in STEPS:
            with torch.no_grad():
                nats = F.cross_entropy(model.logits(unseen).flatten(0, 1), targets).item()
            found[str(step)] = {"nats": round(nats, 4)}
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
