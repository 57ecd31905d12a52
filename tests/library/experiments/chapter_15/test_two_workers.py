"""Two processes share a gradient, which must be that of one process on the whole batch."""

import pytest
import torch
import torch.distributed as dist

from transformer_lib.experiments.chapter_15 import two_workers
from transformer_lib.experiments.chapter_15.two_workers import LENGTHS, SHARDINGS


def whole_gradient() -> dict[str, torch.Tensor]:
    model = two_workers.build()
    two_workers.loss(model, two_workers.batch()).backward()
    return {name: parameter.grad for name, parameter in model.named_parameters()}


def distance(gradients: dict[str, torch.Tensor]) -> float:
    whole = whole_gradient()
    apart = sum((gradients[name] - whole[name]).square().sum() for name in whole)
    return (apart / sum(gradient.square().sum() for gradient in whole.values())).sqrt().item()


@pytest.mark.slow
def test_weighted_by_tokens_both_shardings_give_the_gradient_of_the_whole_batch():
    found = two_workers.in_two_processes()
    n_parameters = two_workers.build().n_parameters()
    for sharding in SHARDINGS:
        for worker in found[sharding, True]:
            assert distance(worker["gradients"]) < 1e-12
        for worker in found[sharding, False]:
            assert distance(worker["gradients"]) > 0.1
        held = [worker["numbers held"] for worker in found[sharding, True]]
        assert held == [n_parameters] * 2 if sharding == "none" else sum(held) == n_parameters


def test_one_process_is_the_whole_batch(tmp_path):
    place = (tmp_path / "group").as_uri()
    dist.init_process_group("gloo", init_method=place, rank=0, world_size=1)
    try:
        found = two_workers.gradients("none", is_weighted=True)
    finally:
        dist.destroy_process_group()
    assert found["tokens"] == sum(LENGTHS) and distance(found["gradients"]) < 1e-12
