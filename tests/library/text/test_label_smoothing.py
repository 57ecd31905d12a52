"""Smoothing reaches what is made small, from the command line on, and no score that is reported."""

import itertools

import numpy as np
import pytest
import torch
from cli_runs import MICRO, MICRO_PAIRS, few_numbers, few_tales

from transformer_lib.__main__ import main
from transformer_lib.data import LanguageModelBatches, PairBatches, encode_pairs, token_stream
from transformer_lib.training import load_model, read_record

pytestmark = pytest.mark.usefixtures("small_and_elsewhere")

STILL = ["--quiet", "--overwrite", "--lr", "1e-12", "--set", "dropout=0", "--set", "evaluate_every=1"]


def first_point(options: list[str], *more: str) -> dict[str, float]:
    """The curve's first point, of a run that moves no weight: its loss is that of the weights it leaves."""
    assert main(["train", "--run-dir", "run", *options, *STILL, "--steps", "1", *more]) == 0
    return read_record("run/record.json").curve[0]


def smoothed(logits: torch.Tensor, targets: torch.Tensor, epsilon: float) -> float:
    """Target by target: the cross-entropy of (1 - epsilon) on the target and epsilon on all alike."""
    costs = []
    for row, target in zip(logits.double().flatten(0, 1).numpy(), targets.flatten().tolist()):
        if target != -100:
            q = np.full(len(row), epsilon / len(row))
            q[target] += 1 - epsilon
            costs.append(-np.sum(q * (row - np.log(np.exp(row).sum()))))
    return float(np.mean(costs))


@torch.no_grad()
def language_model_cost(epsilon: float) -> float:
    tales, model = few_tales(), load_model("run").eval()
    data = LanguageModelBatches(token_stream(tales.train, tales.tokenizer), 4, 16, seed=0)
    inputs, targets = data.batch(0)
    return smoothed(model(inputs), targets, epsilon)


@torch.no_grad()
def translator_cost(epsilon: float) -> float:
    numbers, model = few_numbers(), load_model("run").eval()
    end = numbers.target_tokenizer.end_token
    pairs = encode_pairs(numbers.train, numbers.source_tokenizer, numbers.target_tokenizer)
    source, lengths, inputs, targets = PairBatches(pairs, 64, 0, end_token=end).batch(0)
    return smoothed(model(source, inputs, lengths), targets, epsilon)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "cost", "default"),
    [(MICRO, language_model_cost, 0.0), (MICRO_PAIRS, translator_cost, 0.1)],
    ids=["language model", "translator"],
)
def test_what_the_command_makes_small_is_the_smoothed_loss_and_what_it_reports_is_not(options, cost, default):
    points = {}
    for epsilon in (None, 0.0, 0.4):
        more = [] if epsilon is None else ["--label-smoothing", str(epsilon)]
        points[epsilon] = first_point(options, *more)
        used = default if epsilon is None else epsilon
        assert points[epsilon]["training_loss"] == pytest.approx(cost(used), rel=1e-5)
    for one, other in itertools.combinations(points.values(), 2):
        assert one["validation_loss"] == pytest.approx(other["validation_loss"], rel=1e-6)
    assert abs(cost(0.4) - cost(0.0)) > 1e-3
