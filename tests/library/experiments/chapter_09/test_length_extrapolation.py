"""The schemes of positions on short and long sequences."""

import pytest
import torch

from transformer_lib.experiments.chapter_09.length_extrapolation import (
    LONGEST,
    OFFSET,
    SCHEMES,
    TRAINED,
    UNANSWERED,
    SmallLM,
    batches,
    score,
    train,
)
from transformer_lib.transformer.positions import RotaryPositions


def test_an_answer_of_echo_is_the_symbol_five_positions_before():
    vocab_size, draw, inputs, answers = batches("echo")
    for symbols, right in ((inputs, answers), draw(torch.Generator().manual_seed(0))):
        assert (right[:, :OFFSET] == UNANSWERED).all() and symbols.max() < vocab_size
        assert torch.equal(right[:, OFFSET:], symbols[:, :-OFFSET])
    assert inputs.shape[1] == LONGEST


def test_an_answer_of_tales_is_the_next_word():
    _, draw, inputs, answers = batches("tales")
    for words, right in ((inputs, answers), draw(torch.Generator().manual_seed(0))):
        assert torch.equal(words[:, 1:], right[:, :-1])
    assert inputs.shape[1] == LONGEST


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_is_built_and_reads_the_longest_sequence_without_seeing_ahead(scheme):
    model = SmallLM(scheme, 16, torch.Generator().manual_seed(0))
    symbols = batches("echo")[2][:1]
    changed = symbols.clone()
    changed[0, 100] = (symbols[0, 100] + 1) % 16
    with torch.no_grad():
        model.head.weight.mul_(50)
        before, after = model(symbols), model(changed)
    assert torch.allclose(before[0, :100], after[0, :100], atol=1e-5)
    assert not torch.allclose(before[0, 100:], after[0, 100:], atol=1e-5)


def test_a_base_in_the_name_is_the_base_of_the_rotation():
    bases = []
    for scheme in ("rotary", "rotary, base 500000"):
        positions = SmallLM(scheme, 16).stack.blocks[1].attention.positions
        assert isinstance(positions, RotaryPositions)
        bases.append(positions.base)
    assert bases == [10000.0, 500000.0]


def test_a_model_that_knows_the_answer_scores_one_and_the_first_positions_do_not_count():
    _, _, inputs, answers = batches("echo")

    class Knows(torch.nn.Module):
        def forward(self, tokens):
            shifted = tokens.roll(OFFSET, dims=1)
            shifted[:, TRAINED:] = -1
            return torch.nn.functional.one_hot(shifted + 1, 17)[..., 1:].float()

    found = score(Knows(), "echo", inputs, answers)
    assert found["within"] == found["block 1"] == found["block 2"] == 1.0
    assert found["beyond"] < 0.2


def test_a_seed_gives_the_same_scores_again_and_schemes_differ():
    def run(scheme):
        return train(0, task="echo", scheme=scheme, rate=0.005, steps=(1, 3))[1]

    assert run("rotary") == run("rotary") != run("none")
    assert list(run("rotary")) == ["1", "3"]
