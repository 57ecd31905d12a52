"""The benchmarks run, on shapes too small to say how fast."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from transformer_lib.training.records import read_record

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_benchmarks_measure_every_part_and_write_a_record_and_a_figure(tmp_path):
    for peer in ("transformers", "x_transformers"):
        if find_spec(peer) is None:
            pytest.skip(f"{peer} is not installed")
    command = [sys.executable, "-m", "tests.benchmarks", "--quick", "--repeats", "1", "-o", str(tmp_path)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert run.returncode == 0, f"mend what stopped the benchmarks: {run.stderr}"
    rows = read_record(tmp_path / "benchmarks.json").result["rows"]
    parts = ("machine", "training", "sampling", "beam search", "training by", "sampling by")
    assert all(any(row["section"].startswith(part) for row in rows) for part in parts), (
        f"tests/benchmarks must measure every part: add rows for {parts}"
    )
    assert all(0 < row["low"] <= row["median"] <= row["high"] for row in rows), (
        "each row needs a median between its low and its high: mend tests/benchmarks/measuring.py"
    )
    assert (tmp_path / "benchmarks.png").stat().st_size > 10_000, (
        "draw the figure of tests/benchmarks/report.py: the file is all but empty"
    )
