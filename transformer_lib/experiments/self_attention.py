"""What one head of attention learns: the records behind chapter 6.

Each experiment is a function of a seed that returns what it measured, so that the chapter can repeat one seed
of the record: ``stories`` (a head finds words in a story), ``scaling`` (what the factor of the scores does to
training), ``tying`` (Q = K on a task made for the purpose) and ``tied_language`` (Q = K in a language model).
They take about ten minutes on one core.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.utils import parametrize

from transformer_lib.data import token_stream
from transformer_lib.experiments.questions import stories, tales
from transformer_lib.experiments.recall import scaling, tying
from transformer_lib.training import Record, write_record
from transformer_lib.transformer import DecoderLM, TransformerConfig

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "QueriesAreKeys",
    "main",
    "run",
    "tied_language",
    "tied_language_model",
]

STEPS, WINDOW = (200, 400), 48


class QueriesAreKeys(nn.Module):
    """Use the query's part of a packed projection for the key as well."""

    def forward(self, weight: Float[Tensor, "three_d d"]) -> Float[Tensor, "three_d d"]:
        """The weight with the key's third replaced by the query's."""
        query, _, value = weight.chunk(3)
        return torch.cat((query, query, value))


def tied_language_model(seed: int, *, tied: bool, steps: int = 200) -> float:
    """Nats per token on unseen stories of a language model of one block after so many steps of AdamW."""
    vocabulary = tales().tokenizer
    stream, held_out = (
        torch.from_numpy(token_stream(part, vocabulary)) for part in (tales().train, tales().test[:250])
    )
    generator = torch.Generator().manual_seed(seed)
    config = TransformerConfig(
        vocab_size=vocabulary.vocab_size, context_length=WINDOW, d_model=48, n_heads=1, n_layers=1, d_ff=96
    )
    model = DecoderLM(config, generator=generator)
    if tied:
        packed = model.stack.blocks[0].attention.qkv
        parametrize.register_parametrization(packed, "weight", QueriesAreKeys())
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.005, fused=True)
    decay = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / max(steps, 1))
    for _ in range(steps):
        start = torch.randint(len(stream) - WINDOW, (12, 1), generator=generator)
        window = stream[start + torch.arange(WINDOW + 1)]
        loss = F.cross_entropy(model.logits(window[:, :-1]).flatten(0, 1), window[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        decay.step()
    whole = (len(held_out) - 1) // WINDOW * WINDOW
    with torch.no_grad():
        logits = model.logits(held_out[:whole].view(-1, WINDOW))
        return round(F.cross_entropy(logits.flatten(0, 1), held_out[1 : whole + 1]).item(), 4)


def tied_language(seed: int) -> dict[str, dict[str, float]]:
    """Nats per token with separate and with tied queries and keys, by the length of training."""
    return {
        str(steps): {
            name: tied_language_model(seed, tied=tied, steps=steps)
            for name, tied in (("separate", False), ("tied", True))
        }
        for steps in STEPS
    }


@dataclass(frozen=True)
class Experiment:
    """What measures one seed, the usual seeds, and whether the stories are its data."""

    measure: Callable[[int], Any]
    seeds: tuple[int, ...]
    reads_stories: bool


EXPERIMENTS = {
    "stories": Experiment(stories, tuple(range(5)), True),
    "scaling": Experiment(scaling, tuple(range(5)), False),
    "tying": Experiment(tying, tuple(range(5)), False),
    "tied_language": Experiment(tied_language, tuple(range(8)), True),
}


def run(name: str, *, command: Sequence[str] | None = None) -> Record:
    """Run an experiment with its usual seeds; the record's result holds what each seed measured."""
    experiment, start = EXPERIMENTS[name], time.perf_counter()
    by_seed = {str(seed): experiment.measure(seed) for seed in experiment.seeds}
    return Record.of_run(
        config={"experiment": name},
        data={"name": "tales", "sha256": tales().sha256} if experiment.reads_stories else {"name": "drawn"},
        seeds=experiment.seeds,
        minutes=(time.perf_counter() - start) / 60,
        curve=[],
        result={"seeds": by_seed},
        command=command,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one experiment and write its record."""
    parser = argparse.ArgumentParser(description="run an experiment of chapter 6 and write its record")
    parser.add_argument("experiment", choices=EXPERIMENTS)
    parser.add_argument("record", type=Path, help="the file to write, such as book/records/06_scaling.json")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    command = ["python", "-m", "transformer_lib.experiments.self_attention"]
    command += [options.experiment, options.record.as_posix()]
    write_record(options.record, run(options.experiment, command=command))


if __name__ == "__main__":
    main()
