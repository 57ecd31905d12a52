"""Counting and a network of one hidden layer, by the words they read and the stories they saw: chapter 1.

Each seed is a corpus of its own, and the network's start.
"""

import copy
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.data import TALES, Corpus, load_tales, token_stream
from transformer_lib.density.ngram import KneserNey
from transformer_lib.experiments.chapter_01.facts import mentions, share_of_kept_heroes
from transformer_lib.experiments.running.runner import Experiment, Tuned
from transformer_lib.interfaces import SequenceModel
from transformer_lib.padding import history_windows

__all__ = ["EXPERIMENT", "WindowNetwork", "corpus", "examples", "measure", "train"]

BATCH, CHECKS = 512, 20
N_VALID, N_TEST, N_WRITTEN = 200, 300, 200


@cache
def corpus(seed: int) -> Corpus:
    """The stories of a seed, none of them those of another seed."""
    return load_tales(n_train=16_000, n_valid=N_VALID, n_test=N_TEST, seed=seed)


def examples(
    corpus: Corpus, stories: Sequence[str], n_words: int
) -> tuple[Int[Tensor, "tokens n_words"], Int[Tensor, "tokens"]]:
    """Every token of the stories, and the words before it; a story is padded in front with end tokens."""
    end = corpus.tokenizer.end_token
    texts = [torch.tensor([[*corpus.tokenizer.encode(story), end]]) for story in stories]
    windows = [history_windows(text, n_words, end)[0] for text in texts]
    return torch.cat(windows), torch.cat(texts, dim=1)[0]


class WindowNetwork(SequenceModel):
    """The chapter's network: vectors of the latest words side by side, a hidden layer of ReLUs, logits."""

    context_length: int

    def __init__(self, vocab_size: int, n_words: int, start_token: int) -> None:
        super().__init__()
        self.vocab_size, self.start_token, self.context_length = vocab_size, start_token, n_words
        self.layers = nn.Sequential(
            nn.Embedding(vocab_size, 16),
            nn.Flatten(),
            nn.Linear(16 * n_words, 128),
            nn.ReLU(),
            nn.Linear(128, vocab_size),
        )

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """Those of the token after each; what lies before the first token is taken for start tokens."""
        windows = history_windows(F.pad(tokens, (0, 1)), self.context_length, self.start_token)[:, 1:]
        return self.layers(windows.flatten(0, 1)).unflatten(0, tokens.shape)


def train(
    seed: int, *, words: int, stories: int, steps: int, rate: float
) -> tuple[WindowNetwork, list[dict[str, Any]]]:
    """A network with the weights of the least validation loss, and the losses on the way."""
    source = corpus(seed)
    windows, targets = examples(source, source.train[:stories], words)
    valid = examples(source, source.valid, words)
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = WindowNetwork(source.tokenizer.vocab_size, words, source.tokenizer.end_token)
    layers, curve, best = network.layers, [], network.state_dict()
    optimizer = torch.optim.Adam(network.parameters(), lr=rate, fused=True)
    decay = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0, total_iters=steps)
    for step in range(1, steps + 1):
        rows = torch.randint(len(targets), (BATCH,), generator=generator)
        loss = F.cross_entropy(layers(windows[rows]), targets[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        decay.step()
        if step % max(steps // CHECKS, 1) == 0:
            with torch.no_grad():
                nats = F.cross_entropy(layers(valid[0]), valid[1]).item()
            curve.append({"step": step, "valid": round(nats, 4)})
            if min(curve, key=lambda point: point["valid"]) is curve[-1]:
                best = copy.deepcopy(network.state_dict())
    network.load_state_dict(best)
    return network, curve


@torch.no_grad()
def write(model: SequenceModel, seed: int) -> list[str]:
    """Texts that a model writes, each until its first end token, or 150 words long."""
    words = corpus(seed).tokenizer
    drawn = model.sample(N_WRITTEN, 150, generator=torch.Generator().manual_seed(seed)).tolist()
    ended = [row[: row.index(words.end_token)] if words.end_token in row else row for row in drawn]
    return [words.decode(row) for row in ended]


@torch.no_grad()
def log_probs(model: SequenceModel, seed: int, part: str) -> Float[np.ndarray, "tokens"]:
    """What a model gives each token of a part of the corpus, story by story."""
    source = corpus(seed)
    stories = getattr(source, part)
    if isinstance(model, WindowNetwork):
        windows, targets = examples(source, stories, model.context_length)
        return -F.cross_entropy(model.layers(windows), targets, reduction="none").double().numpy()
    stream = torch.from_numpy(token_stream(stories, source.tokenizer))[None]
    return model.conditional_log_probs(stream)[0].numpy()


def measure(
    seed: int,
    folder: Path | None = None,
    *,
    model: str,
    words: int,
    stories: int,
    steps: int = 0,
    rate: float = 0.0,
) -> dict[str, Any]:
    """Nats per token on unseen stories, and how many heroes keep their name in those that the model writes.

    ``excess`` is what the model pays above the source on the same text, and ``repeats`` the same for each
    word that repeats a fact.
    """
    source = corpus(seed)
    curve: list[dict[str, Any]] = []
    fitted: WindowNetwork | KneserNey
    if model == "network":
        fitted, curve = train(seed, words=words, stories=stories, steps=steps, rate=rate)
    else:
        start = {"vocab_size": source.tokenizer.vocab_size, "start_token": source.tokenizer.end_token}
        stream = token_stream(source.train[:stories], source.tokenizer)
        fitted = KneserNey(words + 1, **start).fit(stream)
    own = np.concatenate([TALES.token_log_probs(story) for story in source.test])
    repeats = np.array([at.back > 0 for story in source.test for at in mentions(story)])
    test = log_probs(fitted, seed, "test")
    return {
        "nats": round(-test.mean().item(), 4),
        "excess": round((own - test).mean().item(), 4),
        "repeats": round((own - test)[repeats].mean().item(), 4),
        "kept": round(share_of_kept_heroes(write(fitted, seed)), 4),
        "valid": round(-log_probs(fitted, seed, "valid").mean().item(), 4),
        "best_step": min(curve, key=lambda point: point["valid"], default={"step": 0})["step"],
    }


def data() -> dict[str, Any]:
    """What the record says about the stories of the first seed."""
    return {"name": "tales", "sha256": corpus(0).sha256}


def _counts(words: int, stories: int) -> dict[str, Any]:
    return {"model": "counts", "words": words, "stories": stories}


def _network(words: int, stories: int) -> dict[str, Any]:
    rates = Tuned((0.003, 0.01, 0.03))
    return {"model": "network", "words": words, "stories": stories, "steps": 6000, "rate": rates}


EXPERIMENT = Experiment(
    name="windows",
    chapter=1,
    description="counting and a network of one hidden layer, by the words they read and the stories they saw",
    measure=measure,
    seeds=(0, 1, 2),
    config={"embedding": 16, "hidden": 128, "optimizer": "Adam", "schedule": "linear to 0", "batch": BATCH},
    data=data,
    conditions=(
        *(_counts(words, n) for n in (250, 1000, 4000, 16_000) for words in range(6)),
        *(_counts(words, 4000) for words in (8, 16, 32)),
        *(_network(3, n) for n in (250, 1000, 16_000)),
        *(_network(words, 4000) for words in (1, 2, 3, 5, 8, 16, 32)),
    ),
)
