"""Taking turns, medians and quartiles, the machine's own rate of multiplication, and peak memory."""

import gc
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
import torch.nn.functional as F

BF16 = ", bf16"


@dataclass(frozen=True)
class Row:
    """One line of a table: the median of several measurements, and their quartiles."""

    section: str
    case: str
    name: str
    median: float
    low: float
    high: float
    unit: str

    @classmethod
    def of_rates(cls, section: str, case: str, name: str, rates: list[float], unit: str) -> "Row":
        """The row of these measurements, one or more."""
        low, median, high = statistics.quantiles(rates, n=4, method="inclusive") if rates[1:] else rates * 3
        return cls(section, case, name, median, low, high, unit)


def take_turns(runs: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Seconds that each run takes, ``repeats`` times, after one that does not count.

    Every round has an order of its own, for what ran before leaves its traces in caches and in memory.
    """
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        run()
    _wait()
    orders = random.Random(0)
    for _ in range(repeats):
        for name in orders.sample(list(runs), len(runs)):
            begun = time.perf_counter()
            runs[name]()
            _wait()
            seconds[name].append(time.perf_counter() - begun)
    return seconds


def _wait() -> None:
    """Until a GPU has done what it was given."""
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()


def compare(
    section: str, case: str, runs: Mapping[str, Callable[[], object]], amount: int, unit: str, repeats: int
) -> list[Row]:
    """Rows of ``amount`` per second."""
    seconds = take_turns(runs, repeats)
    return [
        Row.of_rates(section, case, name, [amount / s for s in taken], unit)
        for name, taken in seconds.items()
    ]


@torch.no_grad()
def gemm_rates(repeats: int, device: str = "cpu") -> list[Row]:
    """Floating-point operations a second of one large product, beside which models are set."""
    n = 1536 if device == "cpu" else 8192
    x, weight = torch.randn(2, n, n, device=device)
    half_x, half_weight = x.bfloat16(), weight.bfloat16()

    runs = {"torch": lambda: F.linear(x, weight), "bf16": lambda: F.linear(half_x, half_weight)}
    return compare("machine", f"{n} x {n} x {n}", runs, 2 * n**3, "FLOP/s", repeats)


def peak_memory(kind: str, name: str, size: str, device: str = "cpu") -> float | None:
    """MiB that building a model and three updates add to the largest resident set of a process of its own.

    The libraries are loaded before. ``None`` where the system does not tell it in ``/proc``, as Linux does:
    what ``getrusage`` tells a process begins at the peak of the one that started it. On a GPU, the most of
    its memory that they hold at once, beside what this process holds already.
    """
    if device != "cpu":
        from tests.benchmarks import training

        gc.collect()  # the model before
        _wait()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        training.run_of(kind, name, size, updates=3, device=device)
        return (torch.cuda.max_memory_allocated() - before) / 2**20
    if sys.platform != "linux":
        return None
    code = f"""
import re
from pathlib import Path
from tests.benchmarks import training
def peak(): return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
training.load_libraries()
before = peak()
training.run_of({kind!r}, {name!r}, {size!r}, updates=3)
print(peak() - before)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(run.stdout.split()[-1]) / 2**10
