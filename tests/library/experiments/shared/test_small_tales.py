"""Windows of a text: every token is predicted from those before it, and unseen text is measured whole."""

import pytest
import torch

from transformer_lib.experiments.shared import small_tales

STREAM = torch.arange(100, 130)


def test_a_target_is_the_token_after_its_input_wherever_windows_are_drawn():
    inputs, targets = small_tales.draw(STREAM, 200, 7, torch.Generator().manual_seed(0))
    assert inputs.shape == targets.shape == (200, 7)
    assert torch.equal(targets, inputs + 1)
    assert inputs.min() == 100 and targets.max() == 129, "the first and the last token are drawn too"


@pytest.mark.parametrize("length, n_windows", [(29, 1), (7, 4), (10, 2), (1, 29)])
def test_cut_windows_follow_one_another_and_leave_out_only_the_rest(length, n_windows):
    inputs, targets = small_tales.cut(STREAM, length)
    assert inputs.shape == (n_windows, length)
    assert torch.equal(inputs.flatten(), STREAM[: n_windows * length])
    assert torch.equal(targets, inputs + 1)


def test_nats_are_those_of_guessing_where_all_tokens_are_alike_and_a_step_lessens_them():
    weight = torch.zeros(130, 130, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=100.0)
    inputs, targets = small_tales.cut(STREAM, 7)
    before = small_tales.nats(weight.__getitem__, inputs, targets)
    assert before.item() == pytest.approx(torch.tensor(130.0).log().item())
    small_tales.take_step(optimizer, before)
    assert small_tales.nats(weight.__getitem__, inputs, targets) < 0.5 * before


def test_streams_hold_the_stories_that_are_asked_for():
    train, test = small_tales.streams(n_test=3, n_train=2)
    whole, _ = small_tales.streams(n_test=1)
    assert torch.equal(whole[: len(train)], train) and len(whole) > 100 * len(train)
    assert len(test) < 1000
