"""What a reader opens to follow a forward pass, a training step and sampling stays as little as it is.

The calls of the library's functions are counted, those of PyTorch's are not. A model has one block.
"""

from collections import Counter
from pathlib import Path

import pytest
import torch
from traced import Trace, traced

import transformer_lib
from transformer_lib import DecoderLM, EncoderDecoder, TransformerConfig, generate
from transformer_lib.training import TrainingConfig, language_model_loss, train

PACKAGE = Path(transformer_lib.__file__).parent
CONFIG = TransformerConfig(vocab_size=11, context_length=16, d_model=16, n_heads=2, n_layers=1)
TOKENS = torch.arange(16).view(2, 8) % 11
SHORTEN = "keep it short: take a step aside out of the path, or put it where models are built"


class OneBatch:
    def batch(self, step):
        return TOKENS, TOKENS


def training_step() -> Trace:
    """What a third step calls more than two steps do."""

    def steps(n: int) -> Counter:
        model = DecoderLM(CONFIG)
        settings = TrainingConfig(steps=n, device="cpu")
        return traced(
            PACKAGE, lambda: train(model, language_model_loss, OneBatch(), settings, progress=False)
        ).calls

    return Trace(steps(3) - steps(2), PACKAGE)


def language_model() -> Trace:
    model = DecoderLM(CONFIG).eval()
    return traced(PACKAGE, lambda: model(TOKENS))


def translator() -> Trace:
    model, lengths = EncoderDecoder(CONFIG).eval(), torch.tensor([8, 5])
    return traced(PACKAGE, lambda: model(TOKENS, TOKENS[:, :6], lengths))


def sampling() -> Trace:
    model = DecoderLM(CONFIG).eval()
    return traced(PACKAGE, lambda: generate(model, TOKENS, 4))


@pytest.mark.parametrize(
    ("path", "modules", "calls", "lines"),
    [
        (language_model, 7, 22, 1300),
        (translator, 8, 60, 1700),
        (training_step, 10, 100, 2300),
        (sampling, 9, 140, 2400),
    ],
)
def test_a_path_through_the_library_is_short(path, modules, calls, lines, without_type_checks):
    found = path()
    assert found.n_calls > 10, f"the tracer sees too little:\n{found.table()}"
    assert len(found.modules) <= modules, f"{SHORTEN}:\n{found.table()}"
    assert found.n_calls <= calls, f"{SHORTEN}:\n{found.table()}"
    assert found.lines <= lines, f"{SHORTEN}:\n{found.table()}"


def test_the_calls_of_a_function_are_counted_and_those_of_its_comprehensions_belong_to_it():
    allowed = torch.ones(1, 2, 2, dtype=torch.bool)
    mask = transformer_lib.Mask.from_dense(allowed)
    found = traced(PACKAGE, lambda: [mask.to_dense(2, 2) for _ in range(3)])
    assert found.modules == ["transformer/masks.py"] and found.n_calls == 3
