"""Additive scores beside dot products: they differ in the score alone, and what is timed."""

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from transformer_lib.equations import note, papers
from transformer_lib.experiments import run_seed
from transformer_lib.experiments.chapter_05 import bottleneck
from transformer_lib.experiments.chapter_05 import scorings as module
from transformer_lib.experiments.running import timing


def drawn(k: int) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    shapes = ((1, 3, k), (1, 4, k), (k, k), (k, k), (k,))
    return [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]


@pytest.mark.parametrize("score", module.SCORES)
def test_each_score_is_that_of_its_paper(score):
    query, keys, W, U, v = (x.numpy() for x in drawn(5))
    found = module.attend(score, *drawn(5))[0]
    for q, context in zip(query[0], found):
        if score == "additive":
            scores = [papers.additive_score(q, h, W.T, U.T, v) for h in keys[0]]
        else:
            scores = [q @ W @ (h @ U) / 5**0.5 for h in keys[0]]
        expected = note.softmax(np.array(scores)) @ keys[0]
        np.testing.assert_allclose(context, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("k", [4, 32])
def test_both_scores_take_the_same_products_and_the_additive_one_keeps_more(k):
    products, kept = {}, {}
    for score in module.SCORES:
        counter = FlopCounterMode(display=False)
        with counter:
            module.case(score, k)()
        products[score] = counter.get_total_flops()
        kept[score] = module.bytes_kept(module.case(score, k))
    assert products["additive"] == products["dot"] > 0
    pairs = module.BATCH * module.LENGTH**2
    assert kept["additive"] - kept["dot"] >= 4 * pairs * (k - 1)


@pytest.mark.parametrize("score", module.SCORES)
def test_a_case_runs_forward_and_backward_and_gives_the_same_again(score):
    first, second = module.case(score, 4)(), module.case(score, 4)()
    assert first.shape == (module.BATCH, module.LENGTH, 4)
    assert torch.equal(first, second)


def test_the_costs_are_those_of_the_additive_score_over_the_dot_product_s_on_one_thread(monkeypatch):
    clock, threads = {"now": 0.0}, []

    def case(score, k, seed):
        def run():
            threads.append(torch.get_num_threads())
            clock["now"] += {"additive": 3.0, "dot": 2.0}[score]

        return run

    monkeypatch.setattr(module, "case", case)
    monkeypatch.setattr(module, "bytes_kept", lambda run: 10 if run() is None else 0)
    monkeypatch.setattr(timing.time, "perf_counter", lambda: clock["now"])
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        assert run_seed(module.COSTS, 0, k=16) == {"time": 1.5, "memory": 1.0}
        assert set(threads) == {1} and torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_translators_differ_in_their_score_alone(monkeypatch):
    asked = []
    monkeypatch.setattr(bottleneck, "train", lambda seed, **given: asked.append(given) or (None, {}))
    for condition in module.LEARNING.conditions:
        run_seed(module.LEARNING, 0, **condition)
    assert {a["attention"] for a in asked} == set(module.SCORES)
    for rate in module.RATES:
        one, other = ({**a, "attention": ""} for a in asked if a["rate"] == rate)
        assert one == other
