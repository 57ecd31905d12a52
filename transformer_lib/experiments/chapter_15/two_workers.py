"""What two processes find if they share a gradient: what chapter 15 shows of DDP and FSDP.

:func:`in_two_processes` starts two workers on this machine, and calls in each a function such as that of
``share.py``, for the batch of :func:`batch`. The script by itself is started by ``torchrun``.
"""

import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import torch
import torch.distributed as dist
from jaxtyping import Int
from torch import Tensor, nn

__all__ = ["LENGTHS", "batch", "found_by", "in_two_processes"]

WORKERS = 2
LENGTHS = (16, 14, 3, 2)
"""Tokens to predict in each row of the batch: the first worker's two are long, the second's short."""

Share = Callable[[bool, bool], nn.Module]
"""From whether to shard and whether to weight, a model whose parameters have the shared gradient."""


def batch() -> tuple[Int[Tensor, "rows time"], Int[Tensor, "rows time"]]:
    """Four rows of random tokens of different lengths, and what is to be predicted; -100 is padding."""
    torch.manual_seed(1)
    tokens = torch.randint(32, (4, 17))
    inputs, targets = tokens[:, :-1], tokens[:, 1:].clone()
    for row, length in zip(targets, LENGTHS):
        row[length:] = -100
    return inputs, targets


def found_by(share: Share, is_sharded: bool, is_weighted: bool) -> dict[str, Any]:
    """The whole shared gradient, as this worker has it, and how many weights the worker holds."""
    parameters = list(share(is_sharded, is_weighted).parameters())
    gradients = [_whole(cast(Tensor, parameter.grad)).flatten() for parameter in parameters]
    return {
        "weights": sum(_local(parameter).numel() for parameter in parameters),
        "gradient": torch.cat(gradients),
    }


def in_two_processes(share: Share) -> dict[tuple[bool, bool], list[dict[str, Any]]]:
    """What either worker found, by whether the model was sharded and whether its loss was weighted."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        torch.multiprocessing.spawn(_work, args=(folder, share), nprocs=WORKERS)
        found = [torch.load(Path(folder) / f"{rank}.pt") for rank in range(WORKERS)]
    return {key: [one[key] for one in found] for key in found[0]}


def _work(rank: int, folder: str, share: Share) -> None:
    torch.set_num_threads(1)
    url = Path(folder, "group").as_uri()
    dist.init_process_group("gloo", init_method=url, rank=rank, world_size=WORKERS)
    kinds = itertools.product((False, True), repeat=2)
    torch.save({kind: found_by(share, *kind) for kind in kinds}, Path(folder) / f"{rank}.pt")
    dist.destroy_process_group()


def _local(tensor: Tensor) -> Tensor:
    return tensor.to_local() if hasattr(tensor, "to_local") else tensor  # a DTensor has a part


def _whole(tensor: Tensor) -> Tensor:
    return (tensor.full_tensor() if hasattr(tensor, "full_tensor") else tensor).detach().clone()
