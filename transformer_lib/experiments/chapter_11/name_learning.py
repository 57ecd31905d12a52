"""How a GPT learns to know the hero's name, step by step: an experiment of chapter 11.

The model and its training are those of the chapter's page: all of it is ``one_file_gpt``.
"""

from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared import small_tales, thank_you
from transformer_lib.experiments.shared.small_tales import tales
from transformer_lib.one_file_gpt import GPT, Block, get_batch, make_optimizer, train_step

__all__ = ["EXPERIMENT", "SAMPLED", "STEPS", "largest_weight", "logits_without", "measure", "right", "sample"]

STEPS, EVERY, RATE, BATCH = 1200, 100, 0.003, 16
SAMPLED = (0, 100, 300, 1000)
"""After which steps the model writes a story."""

WRITTEN = 60


def build() -> GPT:
    """The chapter's model, from PyTorch's own random numbers."""
    model = GPT(tales().tokenizer.vocab_size, thank_you.CONTEXT, d_model=128, n_heads=4, n_layers=2)
    model.init_weights(std=128**-0.5)
    return model


def logits_without(
    model: GPT, tokens: Int[Tensor, "1 time"], cut: Bool[Tensor, "time time"] | None = None
) -> tuple[Tensor, Tensor]:
    """The model's logits, and its weights in each block and head, where no head may use the edges ``cut``.

    ``cut[i, j]`` forbids position i to attend to position j.
    """
    time = tokens.shape[1]
    forbidden = torch.ones(time, time, dtype=torch.bool).triu(1)
    forbidden = forbidden if cut is None else forbidden | cut
    x = model.token_embedding(tokens) + model.position_embedding.weight[:time]
    found = []
    for block in model.blocks:
        assert isinstance(block, Block)
        attention = block.attention
        q, k, v = (
            part.unflatten(-1, (attention.n_heads, -1)).transpose(1, 2)  # (1, heads, time, d_head)
            for part in attention.qkv(block.norm_1(x)).chunk(3, dim=-1)
        )
        scores = q @ k.mT / attention.d_head**0.5
        weights = scores.masked_fill(forbidden, -torch.inf).softmax(dim=-1)
        x = x + attention.output((weights @ v).transpose(1, 2).flatten(2))
        x = x + block.feed_forward(block.norm_2(x))
        found.append(weights)
    return model.final_norm(x) @ model.token_embedding.weight.T, torch.cat(
        found
    )  # (layers, heads, time, time)


def largest_weight(model: GPT, question: thank_you.Question) -> float:
    """What any head of any block at most gives from the last comma to all places of the hero's name."""
    _, weights = logits_without(model, question.prompt[None])
    return weights[:, :, -1, question.prompt == question.name].sum(-1).max().item()


@torch.no_grad()
def right(model: GPT, without: str = "") -> int:
    """How many of the hundred questions are answered right.

    Parameters
    ----------
    without
        ``"look"``: the comma may not attend to the hero's name; ``"carry"``: the words between may not;
        ``""``: nothing is cut.
    """
    count = 0
    for question in thank_you.questions():
        is_name = question.prompt == question.name
        cut = torch.zeros(len(is_name), len(is_name), dtype=torch.bool)
        if without:
            rows = torch.arange(len(is_name)) == len(is_name) - 1
            cut = ((rows if without == "look" else ~rows) & ~is_name)[:, None] & is_name
        logits, _ = logits_without(model, question.prompt[None], cut)
        count += int(logits[0, -1].argmax()) == question.name
    return count


def sample(model: GPT, seed: int) -> str:
    """A story as the model writes it, from an end token on."""
    generator = torch.Generator().manual_seed(seed)
    tokens = model.generate(torch.tensor([[tales().tokenizer.end_token]]), WRITTEN, generator=generator)
    return tales().tokenizer.decode(tokens[0, 1:].tolist())


@torch.no_grad()
def guesses(model: GPT, question: thank_you.Question) -> dict[str, float]:
    """The three likeliest words after *thank you ,*."""
    best = model(question.prompt[None])[0, -1].softmax(-1).topk(3)
    words = (tales().tokenizer.decode([token]) for token in best.indices.tolist())
    return dict(zip(words, (round(p, 4) for p in best.values.tolist())))


def measure(seed: int, folder: Path | None = None, *, steps: int = STEPS) -> dict[str, Any]:
    """Loss and right names by steps, stories on the way, and what the trained model needs to see the name."""
    curve, samples, first = [], {}, thank_you.questions()[:2]
    (stream, _) = small_tales.streams()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = build()
        optimizer = make_optimizer(model, RATE)
        for step in range(steps + 1):
            if step in SAMPLED:
                samples[str(step)] = sample(model, seed)
            if step % min(EVERY, steps) == 0:
                nats, found = thank_you.valid_nats(model), right(model)
                tops = {tales().tokenizer.decode([one.name]): guesses(model, one) for one in first}
                curve.append({"step": step, "nats": round(nats, 4), "right": found, "guesses": tops})
            if step < steps:
                train_step(model, optimizer, *get_batch(stream, BATCH, thank_you.CONTEXT))
    with torch.no_grad():
        weights = [largest_weight(model, question) for question in thank_you.questions()]
    return {
        "right": right(model),
        "right_without_look": right(model, "look"),
        "right_without_carry": right(model, "carry"),
        "weight": {"median": sorted(weights)[len(weights) // 2], "first": weights[0]},
        "samples": samples,
        "curve": curve,
    }


EXPERIMENT = Experiment(
    name="name-learning",
    chapter=11,
    description="how a GPT of one page learns to know the hero's name, step by step",
    measure=measure,
    seeds=(0, 1, 2),
    config={"optimizer": "AdamW", "rate": RATE, "batch": BATCH, "window": thank_you.CONTEXT, "steps": STEPS},
    data=small_tales.data,
)
