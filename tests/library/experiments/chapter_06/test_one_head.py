"""The head that answers *thank you ,*: what it sees, what is traced, and that its page trains the same."""

import json
from pathlib import Path

import pytest
import torch

from transformer_lib.experiments import run_seed
from transformer_lib.experiments.chapter_06 import one_head
from transformer_lib.experiments.chapter_06.one_head import CausalHead, StoryReader, tales, trace
from transformer_lib.experiments.shared import thank_you
from transformer_lib.transformer.attention import attention
from transformer_lib.transformer.masks import Mask

CHAPTER = Path(__file__).resolve().parents[4] / "chapters" / "06_self_attention.ipynb"


@pytest.fixture
def reader() -> StoryReader:
    torch.manual_seed(0)
    return StoryReader(tales().tokenizer.vocab_size, d=8, k=4)


def test_the_head_is_the_library_s_attention_under_a_causal_mask():
    torch.manual_seed(0)
    head, x = CausalHead(6, 4).double(), torch.randn(2, 5, 6, dtype=torch.float64)
    found = attention(x @ head.W_q, x @ head.W_k, x @ head.W_v, Mask.causal())
    torch.testing.assert_close(head(x), found @ head.W_c)
    torch.testing.assert_close(head.weights.sum(-1), torch.ones(2, 5, dtype=torch.float64))


def test_the_order_of_the_words_before_the_last_does_not_change_its_prediction(reader):
    tokens = torch.tensor([[0, 5, 9, 5, 7, 3]])
    scrambled = tokens[:, [4, 2, 0, 1, 3, 5]]
    torch.testing.assert_close(reader(scrambled)[:, -1], reader(tokens)[:, -1], rtol=1e-4, atol=1e-6)


def test_a_trace_is_that_of_the_questions_one_by_one(reader):
    found, slopes, weights = trace(reader), [], []
    for question in thank_you.questions():
        logits = reader(question.prompt[None])[0, -1]
        (slope,) = torch.autograd.grad(-logits.log_softmax(-1)[question.name], reader.head.scores)
        is_hero = question.prompt == question.name
        slopes.append(slope[0, -1][is_hero].sum())
        weights.append(reader.head.weights[0, -1][is_hero].sum())
    assert found["slope"] == pytest.approx(torch.stack(slopes).mean().item(), abs=1e-4)
    assert found["weight"] == pytest.approx(torch.stack(weights).mean().item(), abs=1e-4)
    assert 0 < found["right name"] < found["some name"] < 1


def test_a_short_training_has_a_trace_at_its_start_and_gives_the_same_again():
    found = {
        reads: run_seed(one_head.EXPERIMENT, 0, reads=reads, steps=2) for reads in ("stories", "windows")
    }
    assert found["stories"] == run_seed(one_head.EXPERIMENT, 0, reads="stories", steps=2)
    assert [point["step"] for point in found["stories"]["curve"]] == [0]
    assert [point["step"] for point in found["windows"]["curve"]] == [0, 2]
    assert found["windows"]["slope"] != found["stories"]["slope"]
    assert found["stories"]["near"] + found["stories"]["far"] <= 100


def test_the_page_s_classes_are_those_of_the_record():
    """They stand on the page for readers to type; the same seed must give the same numbers."""
    cells = json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    page = {"torch": torch, "nn": torch.nn}
    for source in sources:
        if source.startswith(("class CausalHead", "class StoryReader")):
            exec(source, page)
    tokens = torch.arange(12).view(2, 6)
    outputs = []
    for made in (page["StoryReader"], StoryReader):
        torch.manual_seed(1)
        outputs.append(made(20, 8, 4)(tokens))
    assert torch.equal(*outputs)
