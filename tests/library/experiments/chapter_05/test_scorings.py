"""Additive scores beside dot products: the heads that learn, and what is timed."""

import numpy as np
import pytest
import torch

from transformer_lib.equations import note, papers
from transformer_lib.experiments.chapter_05 import scorings as module
from transformer_lib.experiments.chapter_06.recall_head import D_MODEL, N_SYMBOLS, RecallHead
from transformer_lib.experiments.running import timing


def test_the_additive_head_scores_as_bahdanau_s_network_does():
    head = module.AdditiveHead(6, generator=torch.Generator().manual_seed(0)).double()
    shown = torch.randperm(N_SYMBOLS, generator=torch.Generator().manual_seed(1))
    found = head(shown[None], shown.flip(0)[None], shown[:1])[0]
    named = {name: parameter.detach().numpy() for name, parameter in head.named_parameters()}
    x = (named["symbols"][shown] + named["answers"][shown.flip(0)]) / 2**0.5
    asker = (named["symbols"][shown[0]] + named["asking"]) / 2**0.5
    W_q, W_k, v = named["W_q"], named["W_k"], named["v"]
    scores = np.array([papers.additive_score(asker, x_j, W_q.T, W_k.T, v) for x_j in x])
    mixed = note.softmax(scores) @ x @ named["W_v"]
    expected = named["answers"] @ mixed / D_MODEL**0.5
    np.testing.assert_allclose(found.detach().numpy(), expected, rtol=0, atol=1e-10)


def test_the_heads_share_their_start_but_for_the_additive_vector():
    heads = [
        settings.pop("head_class", RecallHead)(**settings, generator=torch.Generator().manual_seed(3))
        for settings in (module.settings(head, 8) for head in module.HEADS)
    ]
    additive, *others = (dict(head.named_parameters()) for head in heads)
    assert set(additive) - set(others[0]) == {"v"}
    for other in others:
        assert all(torch.equal(additive[name], parameter) for name, parameter in other.items())
    assert [head.scale for head in heads[1:]] == [None, 1.0]


@pytest.mark.parametrize("scoring", ["additive", "general"])
def test_a_case_runs_forward_and_backward_and_gives_the_same_again(scoring):
    first, second = module.alignment_case(scoring, 4)(), module.alignment_case(scoring, 4)()
    assert first.shape == (module.COST_BATCH, module.COST_LENGTH, 4)
    assert torch.equal(first, second)


def test_the_costs_are_measured_on_one_thread_which_is_given_back(monkeypatch):
    threads = []
    monkeypatch.setattr(module, "_ratio", lambda k, seed: threads.append(torch.get_num_threads()) or 2.0)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        assert module.measure_costs(0) == {f"k = {k}": 2.0 for k in module.COST_WIDTHS}
        assert threads == [1] * len(module.COST_WIDTHS) and torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_the_ratio_is_additive_over_general(monkeypatch):
    clock = {"now": 0.0}

    def case(scoring, k, seed):
        def run():
            clock["now"] += {"additive": 3.0, "general": 2.0}[scoring]

        return run

    monkeypatch.setattr(module, "alignment_case", case)
    monkeypatch.setattr(timing.time, "perf_counter", lambda: clock["now"])
    assert module._ratio(16, 0) == pytest.approx(1.5)
