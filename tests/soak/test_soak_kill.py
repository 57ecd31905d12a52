"""A training run that is killed at any moment, also while it writes, ends as if it had not been.

A sample of the moments by default; `make soak` tries 30.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import killed_run
import pytest
import torch

from transformer_lib.training import BEST, LAST, load_checkpoint, load_model

MOMENTS = int(os.environ.get("SOAK", "3"))
WRITTEN = (None, LAST, BEST)


def temporaries(folder: Path, name: str | None = None) -> list[str]:
    """The unfinished files in `folder`, or those that are to become the file `name`."""
    start = "." if name is None else f".{name}."
    names = os.listdir(folder) if folder.is_dir() else []  # noqa: PTH208
    return [found for found in names if found.startswith(start) and found.endswith(".tmp")]


def kill_at(folder: Path, step: int, written: str | None, polls: int) -> None:
    """Kill a run as it reads the batch of `step` or, from there on, `polls` looks after it begins a file."""
    command = [sys.executable, str(Path(killed_run.__file__)), str(folder)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as child:
        for line in child.stdout:
            if int(line) == step:
                break
        while written is not None and child.poll() is None and not temporaries(folder, written):
            pass
        for _ in range(polls):
            temporaries(folder)
        assert child.poll() is None, "the run ended before it was killed"
        child.kill()


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The run that nobody killed: its model, result and folder."""
    folder = tmp_path_factory.mktemp("whole")
    return *killed_run.run(folder), folder


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(MOMENTS))
def test_a_run_that_is_killed_ends_as_if_it_had_not_been(tmp_path, expected, moment):
    whole, result, whole_folder = expected
    rng = random.Random(moment)
    written = WRITTEN[moment % len(WRITTEN)]
    step = rng.randrange(1, killed_run.STEPS - 3)
    kill_at(tmp_path, step, written, polls=rng.randrange(1, 100))
    print(f"killed after step {step}; cut short: {temporaries(tmp_path) or 'no file'}")
    files = [name for name in (BEST, LAST) if (tmp_path / name).exists()]
    for name in files:
        load_model(tmp_path / name)
    resumed, ended = killed_run.run(tmp_path, resume=bool(files))
    assert ended.losses == result.losses
    assert ended.evaluations == result.evaluations
    assert all(torch.equal(a, b) for a, b in zip(resumed.parameters(), whole.parameters(), strict=True))
    for name in (BEST, LAST):
        one, other = (load_checkpoint(folder / name) for folder in (tmp_path, whole_folder))
        assert all(torch.equal(one.weights[key], other.weights[key]) for key in other.weights)
        assert all(torch.equal(one.tensors[key], other.tensors[key]) for key in other.tensors)
    assert not temporaries(tmp_path)
