"""The recall task: heads differ as their words say, and a seed gives the same again."""

import numpy as np
import pytest
import torch

from transformer_lib.experiments import run_seed
from transformer_lib.experiments.chapter_06 import recall_head as module
from transformer_lib.experiments.chapter_06.recall_head import N_SYMBOLS, SCALINGS, RecallHead, recall


def head_of(name: str, k: int) -> RecallHead:
    options = {key: value for key, value in SCALINGS[name](k).items() if key != "query_rate"}
    return RecallHead(d_head=k, generator=torch.Generator().manual_seed(1), **options)


def test_the_same_start_is_the_same_function_and_the_plain_start_is_not():
    generator = torch.Generator().manual_seed(0)
    shown = torch.rand(5, N_SYMBOLS, generator=generator).argsort(-1)
    answer = torch.randint(N_SYMBOLS, shown.shape, generator=generator)
    scores = {name: head_of(name, 64)(shown, answer, shown[:, 0]) for name in SCALINGS}
    torch.testing.assert_close(scores["not scaled, same start"], scores["scaled"], rtol=1e-4, atol=1e-5)
    assert (scores["not scaled"] - scores["scaled"]).abs().max() > 0.1


def test_a_slower_query_matrix_undoes_the_missing_scale():
    settings = {"d_head": 32, "rate": 0.003, "steps": (100,)}
    scaled = recall(0, **settings)
    slower = recall(0, **settings, **SCALINGS["same start, slower W_q"](32))
    assert slower["100"]["loss"] == pytest.approx(scaled["100"]["loss"], abs=1e-3)


@pytest.mark.slow
def test_successor_asks_for_the_next_symbol_and_match_for_the_same():
    torch.manual_seed(0)
    easy = recall(0, task="match", rate=0.01)
    assert easy == recall(0, task="match", rate=0.01) != recall(0, task="successor", rate=0.01)
    assert easy["200"]["right"] > 0.95


def test_a_longer_run_begins_like_a_shorter_one():
    assert recall(3, steps=(60, 80))["60"] == recall(3, steps=(60,))["60"]


def test_a_tied_head_has_one_matrix_for_queries_and_keys():
    head = RecallHead(tied=True)
    assert head.W_q is head.W_k
    assert len(list(RecallHead().parameters())) == len(list(head.parameters())) + 1


def test_each_condition_is_measured_with_its_settings(monkeypatch):
    asked = []

    def measured(seed, **settings):
        asked.append(settings)
        return {str(step): {"loss": 0.31 - step / 1000} for step in settings["steps"]}

    monkeypatch.setattr(module, "recall", measured)
    found = run_seed(module.SCALING, 0, head="not scaled", k=8, rate=0.01)
    run_seed(module.TYING, 0, task="successor", head="tied", rate=0.003)
    steps = asked[0].pop("steps")
    assert (steps[0], steps[1], steps[-1]) == (50, 100, 4000)
    assert asked == [
        {"d_head": 8, "rate": 0.01, "scale": 1.0},
        {"task": "successor", "rate": 0.003, "steps": (250, 4000), "tied": True},
    ]
    assert found["steps to solve"] == 250
    assert found["200"] == {"loss": pytest.approx(0.11)}


def test_a_head_that_never_solves_the_task_counts_as_solving_it_last(monkeypatch):
    def measured(seed, **settings):
        return {str(step): {"loss": 2.0} for step in settings["steps"]}

    monkeypatch.setattr(module, "recall", measured)
    assert run_seed(module.SCALING, 0, head="scaled", k=8, rate=0.01)["steps to solve"] == 4000


def test_a_tied_head_can_be_right_on_the_ring_as_often_as_the_evidence_says():
    n, unit = 8, np.eye(8)
    keys = np.array([3.0**i * (unit[i] + (unit[i - 1] if i else 0)) for i in range(n)])
    preferred = (keys @ keys.T).argmax(axis=1)
    assert preferred.tolist() == [1, 2, 3, 4, 5, 6, 7, 7]
    successor = (np.arange(n) + 1) % n
    share = np.where(preferred == successor, 1, 1 / n).mean()
    assert share == 57 / 64
