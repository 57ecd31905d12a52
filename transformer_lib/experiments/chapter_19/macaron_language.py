"""What Macaron's order of sub-layers is worth to a language model of the same size: chapter 19.

Three blocks have as many parameters, but for one normalization. *standard* is attention and a network.
*Macaron* has half of the network, as a network of its own, on either side of attention; *behind* has both
halves behind it, one after the other, so that it differs from Macaron in the order alone.
"""

from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.data import token_stream
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared import small_tales
from transformer_lib.experiments.shared.small_tales import data, tales
from transformer_lib.initialization import embedding, projection
from transformer_lib.transformer.block import LayerNorm, TransformerBlock
from transformer_lib.transformer.block_variants import MacaronBlock
from transformer_lib.transformer.masks import Mask

__all__ = ["EXPERIMENT", "ORDERS", "RATES", "STEPS", "BehindBlock", "OrderedLM", "measure"]

STEPS, RATES = 4000, (0.001, 0.003, 0.01)
D_MODEL, N_HEADS, N_LAYERS, WINDOW, BATCH, N_VALID = 48, 4, 4, 48, 12, 250


class BehindBlock(MacaronBlock):
    """Macaron's parts with both networks behind attention."""

    def forward(
        self, x: Float[Tensor, "batch time d_model"], mask: Mask | None = None, **unused: Any
    ) -> Float[Tensor, "batch time d_model"]:
        """The block's output."""
        x = x + self.attention(self.attention_norm(x), mask=mask)
        x = x + self.first_feed_forward(self.first_feed_forward_norm(x)) / 2
        return x + self.feed_forward(self.feed_forward_norm(x)) / 2


ORDERS: dict[str, tuple[type[TransformerBlock], int]] = {
    "standard": (TransformerBlock, 4 * D_MODEL),
    "Macaron": (MacaronBlock, 2 * D_MODEL),
    "behind": (BehindBlock, 2 * D_MODEL),
}
"""The block of each order, and the width inside each of its networks."""


class OrderedLM(nn.Module):
    """A language model whose blocks have their parts in one of the ``ORDERS``."""

    def __init__(self, order: str, vocab_size: int, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        kind, d_ff = ORDERS[order]
        self.words = embedding(vocab_size, D_MODEL, std=0.5, generator=generator)
        self.places = embedding(WINDOW, D_MODEL, std=0.1, generator=generator)
        start: dict[str, Any] = {"join_std": 0.05, "generator": generator}
        self.blocks = nn.ModuleList(kind(D_MODEL, N_HEADS, d_ff, **start) for _ in range(N_LAYERS))
        self.final_norm = LayerNorm(D_MODEL)
        self.head = projection(D_MODEL, vocab_size, bias=False, std=0.02, generator=generator)

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The logits of the token after each."""
        x = self.words(tokens) + self.places.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x, Mask.causal())
        return self.head(self.final_norm(x))


def measure(
    seed: int, folder: Path | None = None, *, order: str, rate: float, steps: int = STEPS
) -> dict[str, Any]:
    """Nats per token on unseen stories with the weights of the least validation loss, and when that was."""
    (stream,) = small_tales.streams()[:1]
    valid, test = (
        small_tales.cut(torch.from_numpy(token_stream(part, tales().tokenizer)), WINDOW)
        for part in (tales().test[:N_VALID], tales().test[N_VALID:])
    )
    generator = torch.Generator().manual_seed(seed)
    model = OrderedLM(order, tales().tokenizer.vocab_size, generator=generator)
    n_parameters = sum(parameter.numel() for parameter in model.parameters())

    @torch.no_grad()
    def valid_nats(network: nn.Module) -> float:
        return small_tales.nats(network, *valid).item()

    curve = small_tales.fit_to_the_best(
        model, stream, valid_nats, generator, n_windows=BATCH, length=WINDOW, steps=steps, rate=rate
    )
    best = min(curve, key=lambda point: point["valid"])
    with torch.no_grad():
        nats = small_tales.nats(model, *test).item()
    return {
        "nats": round(nats, 4),
        "valid": best["valid"],
        "best step": best["step"],
        "last valid": curve[-1]["valid"],
        "parameters": n_parameters,
        "curve": curve,
    }


EXPERIMENT = Experiment(
    name="macaron-language",
    chapter=19,
    description="language models of four blocks with the network behind attention or around it",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={
        "optimizer": "Adam",
        "schedule": "100 steps of warm-up, then constant",
        "steps": STEPS,
        "batch": BATCH,
        "window": WINDOW,
        "d_model": D_MODEL,
        "n_layers": N_LAYERS,
    },
    data=data,
    conditions=tuple({"order": order, "rate": rate} for rate in RATES for order in ORDERS),
)
