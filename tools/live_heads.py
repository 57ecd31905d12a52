"""Train the two layers of heads that the live figure `attention` shows, and write their weights as a script.

    python tools/live_heads.py

trains on the tales, and on lists of their words that start again: a minute or two on one core. A list
that starts again rewards a head for looking at the word before, and one of the next layer for looking behind
the same word, so the heads learn something that can be seen. Each row of a matrix is kept in 8 bits and a
scale; what the page computes is what PyTorch computes with the weights that `read` gives.
"""

import json
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from live_weights import packed, unpacked
from torch import Tensor, nn

from transformer_lib.data import load_tales, token_stream

PATH = Path(__file__).resolve().parent.parent / "book" / "_static" / "live" / "attention-weights.js"
SHAPE = {"context_length": 32, "d_model": 48, "n_heads": 4, "n_layers": 2}
STEPS, WARMUP, BATCH, LEARNING_RATE, SHARE_OF_LISTS = 4000, 100, 24, 0.005, 0.5
HEADER = f"""// @ts-check
"use strict";

/* The weights of the figure attention: written by `python tools/{Path(__file__).name}`, not by hand. */
const attentionWeights = """


class Heads(nn.Module):
    """A layer of chapter 7's many heads, behind a normalization: what it adds to x, and where it looked."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.norm = nn.LayerNorm(d_model)
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.output = nn.Linear(d_model, d_model, bias=False)

    def forward(
        self, x: Float[Tensor, "batch time d"], allowed: Bool[Tensor, "time time"]
    ) -> tuple[Float[Tensor, "batch time d"], Float[Tensor, "batch heads time time"]]:
        """What the heads found, projected; and their weights."""
        parts = self.qkv(self.norm(x)).chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for part in parts)
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(dim=-1)  # (batch, heads, time, time)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class TwoLayers(nn.Module):
    """Words and places, layers of heads, and a score for every next word: attention alone."""

    def __init__(
        self, vocab_size: int, context_length: int, d_model: int, n_heads: int, n_layers: int
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(vocab_size, d_model)
        self.places = nn.Embedding(context_length, d_model)
        self.layers = nn.ModuleList(Heads(d_model, n_heads) for _ in range(n_layers))
        self.norm = nn.LayerNorm(d_model)
        for table in (self.words, self.places):
            nn.init.normal_(table.weight, std=d_model**-0.5)

    def forward(
        self, tokens: Int[Tensor, "batch time"], allowed: Bool[Tensor, "time time"]
    ) -> tuple[Float[Tensor, "batch time vocab"], list[Float[Tensor, "batch heads time time"]]]:
        """The logits of the next words, and the weights of each layer's heads."""
        x = self.words(tokens) + self.places.weight[: tokens.shape[1]]
        seen = []
        for layer in self.layers:
            found, weights = layer(x, allowed)
            x = x + found
            seen.append(weights)
        return self.norm(x) @ self.words.weight.T, seen


def mask(name: str, n: int) -> Bool[Tensor, "time time"]:
    """Who may attend to whom, by the figure's names of masks."""
    everything = torch.ones(n, n, dtype=torch.bool)
    return {
        "causal mask": everything.tril(),
        "no mask": everything,
        "window of 4": everything.tril().triu(-3),
    }[name]


def batch(stream: Int[Tensor, "n"], vocab_size: int, generator: torch.Generator) -> Int[Tensor, "batch time"]:
    """Windows of the stories, and lists of random words that start again when they end."""
    length = SHAPE["context_length"] + 1
    rows = []
    for _ in range(BATCH):
        if torch.rand((), generator=generator) < SHARE_OF_LISTS:
            period = int(torch.randint(4, length // 2 + 1, (), generator=generator))
            words = torch.randint(1, vocab_size, (period,), generator=generator)
            rows.append(torch.cat([torch.zeros(1).long(), words.repeat(length // period + 1)])[:length])
        else:
            start = int(torch.randint(len(stream) - length, (), generator=generator))
            rows.append(stream[start : start + length])
    return torch.stack(rows)


def train(steps: int = STEPS, seed: int = 0) -> tuple[TwoLayers, list[str]]:
    """The layers, trained with the causal mask, and the words; the rate rises, then falls."""
    tales = load_tales(n_train=2000, n_valid=0, n_test=0, seed=0)
    words = tales.tokenizer
    stream = torch.from_numpy(token_stream(tales.train, words))
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = TwoLayers(words.vocab_size, **SHAPE)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
    causal = mask("causal mask", SHAPE["context_length"])
    for step in range(1, steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * min(step / WARMUP, 1, 2.05 - 2 * step / steps)
        tokens = batch(stream, words.vocab_size, generator)
        loss = F.cross_entropy(model(tokens[:, :-1], causal)[0].flatten(0, 1), tokens[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 500 == 0:
            print(f"step {step:5,}: {loss:.2f} nats per word", flush=True)
    return model, [words.decode([token]) for token in range(words.vocab_size)]


def write(model: TwoLayers, words: list[str], path: Path = PATH) -> None:
    """Write the script."""
    data = {**SHAPE, "words": words, **{name: packed(tensor) for name, tensor in model.state_dict().items()}}
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in data.items()]
    path.write_text(HEADER + "{\n" + ",\n".join(lines) + "\n};\n", encoding="utf-8")


def read(path: Path = PATH) -> tuple[TwoLayers, list[str]]:
    """The layers of a script in double precision, and the words."""
    data = json.loads(path.read_text(encoding="utf-8").removeprefix(HEADER).rstrip(";\n"))
    words = data.pop("words")
    model = TwoLayers(len(words), *(data.pop(name) for name in SHAPE)).double()
    model.load_state_dict({name: unpacked(tensor) for name, tensor in data.items()})
    return model.eval(), words


@torch.no_grad()
def habits(model: TwoLayers) -> list[dict[str, float]]:
    """Of each head, its mean weight on some places: in the second half of 50 lists of 8 words said twice."""
    generator = torch.Generator().manual_seed(0)
    words = torch.randint(1, model.words.num_embeddings, (50, 8), generator=generator)
    tokens = torch.cat([torch.zeros(50, 1).long(), words, words], dim=1)
    n = tokens.shape[1]
    found = []
    _, seen = model(tokens, mask("causal mask", n))
    second = torch.arange(9, n)
    for weights in seen:
        for head in weights.mean(0):
            places = {"itself": 0, "the word before": 1, "the same word before": 8, "behind the same word": 7}
            found.append({name: head[second, second - back].mean().item() for name, back in places.items()})
    return found


def main() -> int:
    """Train, write, and say what was written."""
    write(*train())
    print(f"{PATH.name}: {PATH.stat().st_size:,} bytes")
    for head, weights in enumerate(habits(read()[0])):
        layer, number = divmod(head, SHAPE["n_heads"])
        print(
            f"layer {layer + 1}, head {number + 1}:", ", ".join(f"{w:.2f} on {n}" for n, w in weights.items())
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
