"""What a mistake looks like from outside: runs of one small GPT, each with one thing wrong.

The GPT is that of one file. None of the mistakes raises an error.
"""

import math
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared import small_tales
from transformer_lib.one_file_gpt import GPT, CausalSelfAttention, get_batch, make_optimizer, train_step

__all__ = ["EXPERIMENT", "MISTAKES", "measure"]

STEPS, ROWS, CONTEXT, WIDTH, RATE = 1200, 8, 64, 32, 0.01
MISTAKES = (
    "none",
    "targets not shifted",
    "no mask",
    "rate 100 times",
    "no warm-up, rate 10 times",
    "loud head",
    "moments lost at half",
    "batches begin again at half",
    "two workers, the same rows",
)


class _Seeing(CausalSelfAttention):
    """Attention to all places, those to come among them."""

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (
            part.unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)
            for part in self.qkv(x).chunk(3, dim=-1)
        )
        return self.output(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))


def _build(seed: int, vocab_size: int, mistake: str) -> GPT:
    model = GPT(vocab_size, CONTEXT, WIDTH, 4, 2)
    model.init_weights(torch.Generator().manual_seed(seed))
    if mistake == "no mask":
        for block in model.blocks:
            block.attention.__class__ = _Seeing
    if mistake == "loud head":
        torch.nn.init.normal_(model.token_embedding.weight, generator=torch.Generator().manual_seed(seed))
    return model


def _rate(step: int, steps: int, mistake: str) -> float:
    warm_up = 1 if mistake == "no warm-up, rate 10 times" else max(1, steps // 10)
    peak = RATE * {"rate 100 times": 100, "no warm-up, rate 10 times": 10}.get(mistake, 1)
    return peak * min(1.0, (step + 1) / warm_up) * (1 - step / steps)


def measure(seed: int, folder: Path | None = None, *, mistake: str, steps: int = STEPS) -> dict[str, Any]:
    """What is seen of a run: its first loss, losses in training and on unseen text, and what follows half.

    ``jump`` is the mean loss of the ten steps after the half of the run, less that of the ten before.
    ``later`` is the largest change of a score by a later token.
    """
    train, test = small_tales.streams(n_test=100)
    vocab_size = small_tales.tales().tokenizer.vocab_size
    model = _build(seed, vocab_size, mistake)
    optimizer = make_optimizer(model, RATE)
    batches = torch.Generator().manual_seed(seed)
    losses = []
    for step in range(steps):
        if step == steps // 2 and mistake == "moments lost at half":
            optimizer = make_optimizer(model, RATE)
        if step == steps // 2 and mistake == "batches begin again at half":
            batches.manual_seed(seed)
        for group in optimizer.param_groups:
            group["lr"] = _rate(step, steps, mistake)
        inputs, targets = get_batch(train, ROWS, CONTEXT, batches)
        if mistake == "targets not shifted":
            targets = inputs
        if mistake == "two workers, the same rows":
            inputs, targets = (
                torch.cat([rows[: ROWS // 2], rows[: ROWS // 2]]) for rows in (inputs, targets)
            )
        losses.append(train_step(model, optimizer, inputs, targets))
    half = steps // 2
    around = [losses[half : half + 10], losses[max(0, half - 10) : half]]
    after, before = (sum(some) / len(some) for some in around)
    inputs, targets = small_tales.cut(test, CONTEXT)
    with torch.no_grad():
        held_out = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()).item()
        changed = inputs[:8].clone()
        changed[:, -1] = (changed[:, -1] + 1) % vocab_size
        later = (model(changed) - model(inputs[:8]))[:, :-1].abs().max().item()
    few = losses[-20:]
    found = {
        "first": losses[0] - math.log(vocab_size),
        "training": sum(few) / len(few),
        "held_out": held_out,
        "jump": after - before,
        "later": later,
    }
    return {name: round(value, 4) if math.isfinite(value) else None for name, value in found.items()}


EXPERIMENT = Experiment(
    name="symptoms",
    chapter=20,
    description="what is seen of a training run in which one thing is wrong",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"steps": STEPS, "rows": ROWS, "context": CONTEXT, "width": WIDTH, "rate": RATE},
    data=small_tales.data,
    conditions=tuple({"mistake": mistake} for mistake in MISTAKES),
)
