"""Pieces of work take turns, and threads are given back."""

import pytest
import torch

from transformer_lib.experiments.running import timing


def test_runs_take_turns_in_changing_order_and_preparing_is_not_timed():
    log = []

    def prepare(name):
        def run():
            log.append(name)

        log.append(f"prepare {name}")
        return run

    found = timing.take_turns({name: lambda name=name: prepare(name) for name in "abc"}, 4, seed=0)
    assert set(found) == set("abc") and all(seconds >= 0 for seconds in found.values())
    rounds = [tuple(log[n + 1 : n + 6 : 2]) for n in range(0, len(log), 6)]
    assert all(sorted(order) == ["a", "b", "c"] for order in rounds) and len(set(rounds)) > 1
    assert all(log[n] == f"prepare {log[n + 1]}" for n in range(0, len(log), 2))


def test_threads_are_as_before_when_a_measurement_ends_or_fails():
    before = torch.get_num_threads()
    with pytest.raises(ZeroDivisionError), timing.threads_of(before + 1):
        assert torch.get_num_threads() == before + 1
        raise ZeroDivisionError
    assert torch.get_num_threads() == before
