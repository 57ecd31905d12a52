"""A head that finds words in a story: an experiment of chapter 6.

Trained heads, without and with positions, answer questions about stories that they have not seen, as they are
and with their words in random order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.data import TALES
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.shared.small_tales import data, tales
from transformer_lib.transformer.attention import attention, attention_weights
from transformer_lib.transformer.masks import Mask

__all__ = [
    "EXPERIMENT",
    "QUESTIONS",
    "QuestionHead",
    "Stories",
    "measure",
    "read_stories",
    "share_right",
    "train_question_head",
    "weight_on_answers",
]

QUESTIONS = ("hero", "object", "animal", "kin", "home")


@dataclass(frozen=True)
class Stories:
    """Stories as numbers: padded words, lengths, and the answer to each of the ``QUESTIONS``."""

    tokens: Int[Tensor, "stories words"]
    lengths: Int[Tensor, "stories"]
    answers: Int[Tensor, "stories questions"]

    def shuffled(self, seed: int) -> "Stories":
        """The same stories, the words of each in random order."""
        generator, tokens = torch.Generator().manual_seed(seed), self.tokens.clone()
        for row, length in zip(tokens, self.lengths.tolist()):
            row[:length] = row[:length][torch.randperm(length, generator=generator)]
        return Stories(tokens, self.lengths, self.answers)


def read_stories(texts: Sequence[str]) -> Stories:
    """Stories and their answers; an answer is the first word of the story that the grammar lists under it."""
    lists = {fact.name: {row[0] for row in fact.rows} for fact in TALES.facts}
    encode = tales().tokenizer.encode
    words = [torch.tensor(encode(text)) for text in texts]
    first = [
        [next(word for word in text.split() if word in lists[question]) for question in QUESTIONS]
        for text in texts
    ]
    return Stories(
        nn.utils.rnn.pad_sequence(words, batch_first=True),
        torch.tensor([len(word) for word in words]),
        torch.tensor([encode(" ".join(row)) for row in first]),
    )


class QuestionHead(nn.Module):
    """One head of attention whose learned queries look into a story for the answers to five questions.

    Parameters
    ----------
    positions
        Learn a vector for each of so many positions and add it to the word's; 0 for no positions.
    """

    def __init__(
        self, d_model: int = 64, d_head: int = 8, positions: int = 0, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()

        def draw(*shape: int, std: float) -> nn.Parameter:
            return nn.Parameter(std * torch.randn(*shape, generator=generator))

        self.words = draw(tales().tokenizer.vocab_size, d_model, std=1.0)
        self.positions = draw(positions, d_model, std=0.3) if positions else None
        self.query = draw(len(QUESTIONS), d_head, std=0.1)
        self.W_k = draw(d_model, d_head, std=d_model**-0.5)
        self.W_v = draw(d_model, d_model, std=d_model**-0.5)

    def read(self, tokens: Int[Tensor, "stories words"]) -> Float[Tensor, "stories words d_model"]:
        """A vector for each word of a story."""
        x = self.words[tokens]
        if self.positions is not None:
            x = x + self.positions[: tokens.shape[1]]
        return x

    def forward(self, stories: Stories) -> Float[Tensor, "stories questions vocab"]:
        """The score of every word as the answer to each question."""
        x = self.read(stories.tokens)
        query = self.query.expand(len(x), -1, -1)
        real = Mask.from_key_lengths(stories.lengths)
        found = attention(query, x @ self.W_k, x @ self.W_v, real)
        return found @ self.words.T / x.shape[-1] ** 0.5

    def weights(self, stories: Stories) -> Float[Tensor, "stories questions words"]:
        """How much each question attends to each word of a story."""
        query = self.query.expand(len(stories.tokens), -1, -1)
        return attention_weights(
            query, self.read(stories.tokens) @ self.W_k, Mask.from_key_lengths(stories.lengths)
        )


def train_question_head(seed: int, *, positions: bool = False, steps: int = 300) -> QuestionHead:
    """Train a head on the stories with Adam, its rate falling from 0.03 to 0."""
    generator = torch.Generator().manual_seed(seed)
    head = QuestionHead(positions=TALES.longest() if positions else 0, generator=generator)
    optimizer = torch.optim.Adam(head.parameters(), lr=0.03, fused=True)
    decay = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / max(steps, 1))
    train = read_stories(tales().train)
    for _ in range(steps):
        some = torch.randint(len(train.tokens), (24,), generator=generator)
        longest = int(train.lengths[some].max())
        batch = Stories(train.tokens[some, :longest], train.lengths[some], train.answers[some])
        loss = F.cross_entropy(head(batch).flatten(0, 1), batch.answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        decay.step()
    return head


@torch.no_grad()
def share_right(head: QuestionHead, stories: Stories) -> dict[str, float]:
    """The share of right answers to each question."""
    return _by_question((head(stories).argmax(-1) == stories.answers).double().mean(0))


@torch.no_grad()
def weight_on_answers(head: QuestionHead, stories: Stories) -> dict[str, float]:
    """The weight of each question on its answer, wherever in the story it stands; mean over stories."""
    found = stories.tokens[:, None] == stories.answers[:, :, None]
    return _by_question((head.weights(stories) * found).sum(-1).mean(0))


def measure(seed: int, folder: Path | None = None, *, positions: bool) -> dict[str, Any]:
    """Shares of right answers on unseen stories, in order and scrambled, and the weights that give them."""
    test = read_stories(tales().test)
    untrained = train_question_head(seed, positions=positions, steps=0)
    head = train_question_head(seed, positions=positions)
    return {
        "in order": share_right(head, test),
        "scrambled": share_right(head, test.shuffled(0)),
        "weight before": weight_on_answers(untrained, test),
        "weight after": weight_on_answers(head, test),
    }


def _by_question(values: Tensor) -> dict[str, float]:
    return {question: round(value, 4) for question, value in zip(QUESTIONS, values.tolist())}


EXPERIMENT = Experiment(
    name="questions",
    chapter=6,
    description="one head with learned queries finds words in a story, without and with positions",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"optimizer": "Adam", "rate": 0.03, "schedule": "linear to 0", "steps": 300, "batch": 24},
    data=data,
    conditions=({"positions": False}, {"positions": True}),
)
