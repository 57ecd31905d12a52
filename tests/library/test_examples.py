"""The examples on the reference's pages run."""

import re
from pathlib import Path

import pytest
import torch
from torch.nn.functional import cross_entropy

PAGES = Path(__file__).resolve().parents[2] / "book" / "api"


@pytest.fixture(scope="module")
def names() -> dict[str, object]:
    """What the examples of the Transformer's page have defined, one after the other."""
    examples = re.findall(
        r"^```python\n(.*?)^```", (PAGES / "transformer.md").read_text("utf-8"), re.M | re.S
    )
    assert len(examples) == 2
    torch.manual_seed(0)
    defined: dict[str, object] = {}
    exec(examples[0], defined)
    defined["first loss"] = defined["loss"]
    exec(examples[1], defined)
    return defined


def test_the_loss_of_a_language_model_is_the_mean_over_its_targets(names):
    model, text = names["model"], names["text"]
    expected = cross_entropy(model(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten())
    torch.testing.assert_close(names["first loss"], expected)
    assert all(parameter.grad is not None for parameter in model.parameters())


def test_the_texts_of_a_row_are_read_as_if_each_had_its_own(names):
    model, inputs = names["model"], names["inputs"]
    alone = [model.logits(inputs[:, :10]), model.logits(inputs[:, 10:])]
    torch.testing.assert_close(names["logits"], torch.cat(alone, dim=1))
