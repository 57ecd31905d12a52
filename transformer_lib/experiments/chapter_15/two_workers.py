"""One gradient from two processes: what chapter 15 shows of DDP and FSDP.

:func:`in_two_processes` starts two workers on this machine. Each reads half of the sentences, and they share
the gradient of a language model.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import torch
import torch.distributed as dist
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor, nn
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor
from torch.nn.parallel import DistributedDataParallel

from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

__all__ = ["SHARDINGS", "WORKERS", "batch", "build", "fully_sharded", "gradients", "in_two_processes"]

WORKERS = 2
IGNORED = -100
LENGTHS = (16, 14, 3, 2)
"""Tokens to predict in each sentence of the batch: the first worker's two are long, the second's short."""


def fully_sharded(model: DecoderLM) -> nn.Module:
    """Each block, then what is left, in parts: every worker keeps one part of each matrix."""
    for block in model.stack.blocks:
        fully_shard(block)
    fully_shard(model)
    return model


SHARDINGS: dict[str, Callable[[DecoderLM], nn.Module]] = {
    "none": DistributedDataParallel,
    "fsdp": fully_sharded,
}


def build() -> DecoderLM:
    """A language model of two blocks, always with the same weights, in float64."""
    config = TransformerConfig(vocab_size=32, context_length=16, d_model=16, n_heads=2, n_layers=2)
    return DecoderLM(config, generator=torch.Generator().manual_seed(0)).double()


def batch() -> tuple[Int[Tensor, "sentences time"], Int[Tensor, "sentences time"]]:
    """Four sentences of different lengths, and what is to be predicted; -100 is padding."""
    generator = torch.Generator().manual_seed(1)
    tokens = torch.randint(32, (len(LENGTHS), max(LENGTHS) + 1), generator=generator)
    inputs, targets = tokens[:, :-1], tokens[:, 1:].clone()
    for row, length in zip(targets, LENGTHS):
        row[length:] = IGNORED
    return inputs, targets


def loss(model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
    """The mean over the tokens that are to be predicted."""
    inputs, targets = batch
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), ignore_index=IGNORED)


def gradients(sharding: str, is_weighted: bool) -> dict[str, Any]:
    """The shared gradient, by parameter, as this worker of the group has it; and what the worker holds."""
    whole = build()
    model = SHARDINGS[sharding](whole)
    rank, count = dist.get_rank(), dist.get_world_size()
    inputs, targets = (part.chunk(count)[rank] for part in batch())
    own = (targets != IGNORED).sum()
    total = own.clone()
    dist.all_reduce(total)  # the targets of all workers
    logits = model(inputs).flatten(0, 1)
    mean = F.cross_entropy(logits, targets.flatten(), ignore_index=IGNORED)
    if is_weighted:
        mean = mean * own * count / total
    mean.backward()  # and the workers' gradients are averaged
    found = {name: parameter.grad for name, parameter in whole.named_parameters()}
    return {
        "tokens": int(own),
        "numbers held": sum(_local(parameter).numel() for parameter in whole.parameters()),
        "gradients": {name: _whole(cast(Tensor, gradient)) for name, gradient in found.items()},
    }


def in_two_processes() -> dict[tuple[str, bool], list[dict[str, Any]]]:
    """What either worker found, by its sharding and whether its loss was weighted."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        torch.multiprocessing.spawn(_work, args=(folder,), nprocs=WORKERS)
        found = [torch.load(Path(folder) / f"{rank}.pt") for rank in range(WORKERS)]
    return {key: [one[key] for one in found] for key in found[0]}


def _work(rank: int, folder: str) -> None:
    torch.set_num_threads(1)
    url = Path(folder, "group").as_uri()
    dist.init_process_group("gloo", init_method=url, rank=rank, world_size=WORKERS)
    found = {
        (sharding, is_weighted): gradients(sharding, is_weighted)
        for sharding in SHARDINGS
        for is_weighted in (False, True)
    }
    torch.save(found, Path(folder) / f"{rank}.pt")
    dist.destroy_process_group()


def _local(tensor: Tensor) -> Tensor:
    return tensor.to_local() if isinstance(tensor, DTensor) else tensor


def _whole(tensor: Tensor) -> Tensor:
    return (tensor.full_tensor() if isinstance(tensor, DTensor) else tensor).detach().clone()
