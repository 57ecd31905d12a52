"""Two processes share a gradient, which must be that of one process on the whole batch."""

import subprocess
import sys

import pytest
import torch
import torch.distributed as dist

from transformer_lib.experiments.chapter_15 import share, two_workers
from transformer_lib.one_file_gpt import GPT, next_token_loss


def whole_gradient() -> torch.Tensor:
    torch.manual_seed(0)
    model = GPT(32, 16, 16, 2, 2).double()
    inputs, targets = two_workers.batch()
    next_token_loss(model(inputs), targets).backward()
    return torch.cat([parameter.grad.flatten() for parameter in model.parameters()])


def distance(gradient: torch.Tensor) -> float:
    whole = whole_gradient()
    return ((gradient - whole).norm() / whole.norm()).item()


@pytest.mark.slow
def test_weighted_by_tokens_both_shardings_give_the_gradient_of_the_whole_batch():
    found = two_workers.in_two_processes(share.share)
    n_parameters = len(whole_gradient())
    for is_sharded in (False, True):
        for worker in found[is_sharded, True]:
            assert distance(worker["gradient"]) < 1e-12
        for worker in found[is_sharded, False]:
            assert distance(worker["gradient"]) > 0.1
        held = [worker["weights"] for worker in found[is_sharded, True]]
        assert sum(held) == n_parameters if is_sharded else held == [n_parameters] * 2


def test_one_process_is_the_whole_batch(tmp_path):
    place = (tmp_path / "group").as_uri()
    dist.init_process_group("gloo", init_method=place, rank=0, world_size=1)
    try:
        found = two_workers.found_by(share.share, is_sharded=False, is_weighted=True)
    finally:
        dist.destroy_process_group()
    assert distance(found["gradient"]) < 1e-12


def test_the_batch_has_the_targets_that_the_chapter_counts():
    targets = two_workers.batch()[1]
    assert (targets != -100).sum(1).tolist() == list(two_workers.LENGTHS)


@pytest.mark.slow
def test_the_script_runs_as_its_first_line_says():
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]
    done = subprocess.run([*command, share.__file__], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"run share.py by torchrun: {done.stderr}"
    assert done.stdout.count("Shard(dim=0)") == 2, f"both workers print their part: {done.stdout}"
