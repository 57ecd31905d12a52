"""What a separate query matrix is worth to a language model of one block: an experiment of chapter 6."""

from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.utils import parametrize

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared import small_tales
from transformer_lib.experiments.shared.small_tales import data, tales
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

__all__ = ["EXPERIMENT", "QueriesAreKeys", "measure", "tied_language_model"]

WINDOW, RATES = 48, (0.005, 0.01, 0.02, 0.04)


class QueriesAreKeys(nn.Module):
    """Use the query's part of a packed projection for the key as well."""

    def forward(self, weight: Float[Tensor, "three_d d"]) -> Float[Tensor, "three_d d"]:
        """The weight with the key's third replaced by the query's."""
        query, _, value = weight.chunk(3)
        return torch.cat((query, query, value))


def tied_language_model(seed: int, *, tied: bool, steps: int, rate: float = 0.01) -> float:
    """Nats per token on unseen stories of a language model of one block after so many steps of AdamW."""
    stream, held_out = small_tales.streams(n_test=250)
    generator = torch.Generator().manual_seed(seed)
    config = TransformerConfig(
        vocab_size=tales().tokenizer.vocab_size,
        context_length=WINDOW,
        d_model=48,
        n_heads=1,
        n_layers=1,
        d_ff=96,
    )
    model = DecoderLM(config, generator=generator)
    if tied:
        packed = model.stack.blocks[0].attention.qkv
        parametrize.register_parametrization(packed, "weight", QueriesAreKeys())
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, fused=True)
    decay = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / max(steps, 1))
    for _ in range(steps):
        inputs, targets = small_tales.draw(stream, 12, WINDOW, generator)
        small_tales.take_step(optimizer, small_tales.nats(model.logits, inputs, targets))
        decay.step()
    with torch.no_grad():
        return round(small_tales.nats(model.logits, *small_tales.cut(held_out, WINDOW)).item(), 4)


def measure(
    seed: int, folder: Path | None = None, *, tied: bool, steps: int, rate: float
) -> dict[str, float]:
    """Nats per token on unseen stories."""
    return {"nats": tied_language_model(seed, tied=tied, steps=steps, rate=rate)}


EXPERIMENT = Experiment(
    name="tied-language",
    chapter=6,
    description="a language model of one block with separate and with tied queries and keys",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"optimizer": "AdamW", "schedule": "linear to 0", "batch": 12, "window": WINDOW},
    data=data,
    conditions=tuple(
        {"steps": steps, "rate": rate, "tied": tied}
        for steps, rates in ((400, RATES), (4000, RATES), (8000, (0.01,)))
        for rate in rates
        for tied in (False, True)
    ),
)
