"""Timing side by side: the pieces of work take turns, on a fixed number of threads."""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import torch

__all__ = ["take_turns", "threads_of"]


def take_turns(
    runs: Mapping[str, Callable[[], Callable[[], object]]], repeats: int, seed: int
) -> dict[str, float]:
    """The median of the seconds that each run takes, in rounds that each have an order of their own.

    Parameters
    ----------
    runs
        Functions that prepare a run, out of the time, and return it.
    """
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for prepare in runs.values():
        prepare()()
    orders = random.Random(seed)
    for _ in range(repeats):
        for name in orders.sample(list(runs), len(runs)):
            run = runs[name]()
            begun = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - begun)
    return {name: statistics.median(taken) for name, taken in seconds.items()}


@contextmanager
def threads_of(n: int) -> Iterator[None]:
    """PyTorch computes with this many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(n)
    try:
        yield
    finally:
        torch.set_num_threads(before)
