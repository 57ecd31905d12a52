"""What each part of a block is for: the chapter's Transformer, trained without one of its parts.

:class:`Transformer` is the model that chapter 10 writes and trains on its page. Here every part can be left
out: the networks, the residual connections, the norms, attention, or the places.
"""

import math
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.experiments.chapter_10.whole_transformer import fit, picture, sample, test_loss
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared.small_tales import data, tales
from transformer_lib.experiments.shared.thank_you import Question, questions
from transformer_lib.transformer.attention import MultiHeadAttention
from transformer_lib.transformer.masks import Mask

__all__ = ["EXPERIMENT", "PARTS", "STEPS", "Block", "Transformer", "measure", "right", "train"]

PARTS = ("attention", "network", "residual", "norm", "places")
D_MODEL, N_HEADS, PLACES = 48, 4, 128
STEPS = {2: 1600, 8: 300}


class Block(nn.Module):
    """A pre-norm block, without one of its parts if that is named.

    Source: N4, N5, N6
    """

    def __init__(self, d_model: int = D_MODEL, n_heads: int = N_HEADS, *, without: str = "") -> None:
        super().__init__()
        self.without = without
        self.attention_norm = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward_norm = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, 4 * d_model), nn.ReLU(), nn.Linear(4 * d_model, d_model)
        )

    def forward(
        self, x: Float[Tensor, "batch time d_model"], mask: Mask | None = None
    ) -> Float[Tensor, "batch time d_model"]:
        """The stream after attention and after the network."""
        kept = 0 if self.without == "residual" else 1
        has_norm = self.without != "norm"
        if self.without != "attention":
            x = kept * x + self.attention(self.attention_norm(x) if has_norm else x, mask=mask)
        if self.without != "network":
            x = kept * x + self.feed_forward(self.feed_forward_norm(x) if has_norm else x)
        return x


class Transformer(nn.Module):
    """Words and places, blocks, a last LayerNorm and a linear layer.

    Source: N12, N12a, N9
    """

    def __init__(self, vocab_size: int, n_layers: int = 2, *, without: str = "") -> None:
        super().__init__()
        self.without = without
        self.words = nn.Embedding(vocab_size, D_MODEL)
        self.places = nn.Embedding(PLACES, D_MODEL)
        for table in (self.words, self.places):
            nn.init.normal_(table.weight, std=D_MODEL**-0.5)
        self.blocks = nn.ModuleList(Block(without=without) for _ in range(n_layers))
        self.final_norm = nn.LayerNorm(D_MODEL)
        self.head = nn.Linear(D_MODEL, vocab_size)

    def forward(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """The logits of the token after each."""
        x = self.words(tokens)
        if self.without != "places":
            x = x + self.places.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x, Mask.causal())
        return self.head(self.final_norm(x))


@torch.no_grad()
def right(model: nn.Module, asked: list[Question]) -> float:
    """For how many of the questions the likeliest word after *thank you ,* is the name: a share."""
    return sum(int(model(q.prompt[None])[0, -1].argmax()) == q.name for q in asked) / len(asked)


def train(seed: int, *, blocks: int, without: str = "", rate: float, steps: int | None = None) -> Transformer:
    """The Transformer with so many blocks, trained on the stories."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Transformer(tales().tokenizer.vocab_size, blocks, without=without)
    generator = torch.Generator().manual_seed(seed)
    fit(model, generator, steps=steps or STEPS[blocks], rate=rate, stories=tales().train)
    return model


def measure(
    seed: int, folder: Path | None = None, *, blocks: int, without: str, rate: float, steps: int | None = None
) -> dict[str, Any]:
    """Nats per token on unseen stories, and the share of names that are right, near and far.

    A model whose weights are no longer finite counts as one that knows nothing: its loss is the logarithm of
    the number of words. The whole model of two blocks also writes three stories, and leaves the numbers of
    one prediction.
    """
    left_out = "" if without == "nothing" else without
    model = train(seed, blocks=blocks, without=left_out, rate=rate, steps=steps)
    near = [question for question in questions() if question.is_near]
    far = [question for question in questions() if not question.is_near]
    nats = test_loss(model, tales().test)
    found: dict[str, Any] = {
        "nats": round(nats if math.isfinite(nats) else math.log(tales().tokenizer.vocab_size), 4),
        "near": right(model, near),
        "far": right(model, far),
    }
    if left_out or blocks > 2:
        return found
    return found | {"stories": [sample(model, n) for n in range(3)], "picture": picture(model)}


EXPERIMENT = Experiment(
    name="parts",
    chapter=10,
    description="a Transformer of two or of eight blocks without one of its parts",
    measure=measure,
    seeds=(0, 1, 2),
    config={
        "optimizer": "Adam",
        "schedule": "50 steps of warm-up, linear to 0",
        "steps": "1,600 with two blocks, 300 with eight",
        "batch": 8,
        "d_model": D_MODEL,
        "n_heads": N_HEADS,
    },
    data=data,
    conditions=(
        *({"blocks": 2, "without": part, "rate": 0.01} for part in ("nothing", *PARTS)),
        *(
            {"blocks": 8, "without": part, "rate": rate}
            for part in ("nothing", "network", "residual", "norm")
            for rate in (0.003, 0.01)
        ),
    ),
)
