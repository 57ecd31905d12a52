"""Two processes train as one does on the same batches, each with all the weights (DDP) or half (FSDP)."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import parallel_runs
import pytest
import torch
from parallel_runs import BEST_STEP, CONFIG, RUNS

from transformer_lib.training import (
    BEST,
    LAST,
    CheckpointError,
    available_device,
    load_checkpoint,
    read_record,
    snapshots,
)

ROOT = Path(__file__).resolve().parents[3]
TOGETHER = list(RUNS)
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]


def launch(command: list[str], folder: Path, names: list[str]) -> None:
    """Make the runs in two processes, into `folder`; fails with their output if they fail or hang."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [*command, str(parallel_runs.__file__), str(folder), *names]
    process = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=240
    )
    assert process.returncode == 0, process.stderr[-3000:]


def one_process(folder: Path, name: str, **changes: object):
    """The run of this name with its batches accumulated by a single process; the model and the result."""
    options = RUNS[name] | changes
    accumulation = 2 * options.get("accumulation", 1)
    return parallel_runs.run(folder / name, **{**options, "accumulation": accumulation})


def assert_equal_weights(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor], within: float) -> None:
    assert one.keys() == other.keys()
    for name in one:
        torch.testing.assert_close(
            one[name], other[name], rtol=0, atol=within, msg=lambda m, n=name: f"{n}: {m}"
        )


def assert_equal_runs(folder: Path, expected: Path, name: str, model, result, within: float = 1e-5) -> None:
    for rank in (0, 1):
        left = load_checkpoint(folder / f"{name}.rank{rank}.safetensors")
        assert left.tensors["losses"].tolist() == pytest.approx(result.losses, abs=within)
        assert_equal_weights(left.weights, model.state_dict(), within)
    for file in (BEST, LAST):
        if not (expected / name / file).exists():
            continue
        one, other = (load_checkpoint(place / name / file) for place in (folder, expected))
        assert_equal_weights(one.weights, other.weights, within)
        assert_equal_weights(one.tensors, other.tensors, within)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Where two processes have made all the runs; those that resume find what one process has left."""
    folder = tmp_path_factory.mktemp("two_processes")
    for name in TOGETHER:
        if RUNS[name].get("resume"):
            parallel_runs.run(folder / name, steps=4, accumulation=2)
    launch(TORCHRUN, folder, TOGETHER)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ddp", "fsdp", "ddp_dropout", "ddp_only_padding"])
def test_two_processes_train_as_one_does(folder, tmp_path, name):
    model, result = one_process(tmp_path, name)
    assert_equal_runs(folder, tmp_path, name, model, result)
    best = load_checkpoint(folder / name / BEST)
    assert result.best.step == best.training["best"]["step"] == BEST_STEP
    last = load_checkpoint(folder / name / LAST).training
    assert last["tokens"] == result.tokens
    assert [point["validation_loss"] for point in last["evaluations"]] == [4, 2, 0, 2]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ddp_recomputed", "fsdp_recomputed"])
def test_two_processes_that_compute_blocks_again_train_as_one_does_that_keeps_what_is_inside(
    folder, tmp_path, name
):
    """The moments in the files are means of gradients, so these are equal, too."""
    model, result = one_process(tmp_path, name, activation_checkpointing=False)
    assert_equal_runs(folder, tmp_path, name, model, result)


@pytest.mark.slow
def test_sharded_training_in_mixed_precision_stays_near_that_of_one_process(folder, tmp_path):
    model, result = one_process(tmp_path, "fsdp_bf16")
    assert_equal_runs(folder, tmp_path, "fsdp_bf16", model, result, within=2e-2)


@pytest.mark.slow
def test_two_processes_update_by_muon_as_one_does(folder, tmp_path):
    model, result = one_process(tmp_path, "ddp_muon")
    assert_equal_runs(folder, tmp_path, "ddp_muon", model, result, within=3e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ddp", "fsdp"])
def test_what_one_process_began_two_can_end_and_the_reverse(folder, tmp_path, name):
    _, whole = parallel_runs.run(tmp_path / "whole", accumulation=2)
    left = load_checkpoint(folder / f"{name}_resumes_one.rank1.safetensors")
    assert left.tensors["losses"].tolist() == pytest.approx(whole.losses, abs=1e-5)
    half = folder / f"{name}_half"
    with pytest.raises(CheckpointError, match=r"2 batches per update, .* cannot resume with 1"):
        parallel_runs.run(half, resume=True)
    _, resumed = parallel_runs.run(half, resume=True, accumulation=2)
    assert len(load_checkpoint(half / LAST).tensors["losses"]) == len(whole.losses)
    assert resumed.losses == pytest.approx(whole.losses, abs=1e-5)
    one, other = (load_checkpoint(place / LAST) for place in (half, tmp_path / "whole"))
    assert_equal_weights(one.weights, other.weights, 1e-5)
    assert_equal_weights(one.tensors, other.tensors, 1e-5)


@pytest.mark.slow
def test_a_snapshot_of_sharded_training_has_the_weights_of_its_step_also_without_an_evaluation(folder):
    run = folder / "fsdp_resumes_one"
    assert [path.stem for path in snapshots(run)] == ["step-6", "step-8"]
    before, after, last = (load_checkpoint(path).weights for path in (*snapshots(run), run / LAST))
    assert_equal_weights(after, last, 0.0)
    assert any((before[name] != after[name]).any() for name in after)


@pytest.mark.slow
@pytest.mark.parametrize("name", TOGETHER)
def test_one_process_alone_writes_the_record_and_no_temporary_file_stays(folder, name):
    assert read_record(folder / name / "record.json").seeds == [0]
    assert not list((folder / name).glob("*.tmp")) and not list((folder / name).glob(".*.tmp"))


def test_one_process_that_asks_for_sharding_trains_as_if_it_had_not(tmp_path):
    _, plain = parallel_runs.run(tmp_path / "plain")
    _, asking = parallel_runs.run(tmp_path / "asking", sharding="fsdp")
    assert asking.losses == plain.losses
    assert available_device(CONFIG) == "cpu"


@pytest.mark.slow
def test_compiled_updates_are_those_of_the_model_as_it_is(tmp_path):
    """In a process of its own, for the tests' type checks cannot be compiled."""
    code = (
        "from pathlib import Path; from parallel_runs import run; import sys; folder = Path(sys.argv[1]); "
        "print([run(folder / str(on), compile=on, steps=3)[1].losses for on in (False, True)])"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT / "tests" / "support",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
    )
    assert process.returncode == 0, process.stderr[-3000:]
    plain, compiled = ast.literal_eval(process.stdout)
    assert compiled == pytest.approx(plain, abs=1e-4)
