"""Where a run computes: its device and precision, and its processes, which share batches and perhaps weights.

Accelerate finds out how the process was started (alone, by ``torchrun`` or by ``accelerate launch``) and
averages gradients (DDP). Sharding (FSDP) is PyTorch's ``fully_shard``, which works with CPUs as with GPUs
(chapter 15).
"""

import os
import warnings

import torch
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor

from transformer_lib.autoregressive import device_of
from transformer_lib.layers import TransformerBlock
from transformer_lib.training.config import TrainingConfig

with warnings.catch_warnings():
    # Accelerate imports the bar for notebooks, which warns without ipywidgets although it is never shown.
    warnings.filterwarnings("ignore", message="IProgress not found")
    from accelerate import Accelerator
    from accelerate.state import AcceleratorState, GradientState
    from accelerate.utils import broadcast_object_list, patch_environment, send_to_device

__all__ = [
    "agree",
    "available_device",
    "is_main_process",
    "is_sharded",
    "send_to_device",
    "shard",
    "shard_like",
    "start_processes",
    "whole",
]


def available_device(config: TrainingConfig) -> str:
    """The device of a run: ``config.device``, or what ``"auto"`` stands for here.

    Raises
    ------
    ValueError
        If there is no such device here, or it cannot compute in ``config.precision``.
    """
    has = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not has.get(config.device, True):
        found = ", ".join(["cpu", *(name for name, is_there in has.items() if is_there)])
        raise ValueError(f"device {config.device!r} is not available here; there is: {found}")
    device = config.device if config.device != "auto" else next((name for name in has if has[name]), "cpu")
    if config.precision == "fp16" and device == "cpu":
        raise ValueError("precision 'fp16' needs a GPU; on a CPU use 'bf16' or 'fp32'")
    return device


def start_processes(config: TrainingConfig) -> Accelerator:
    """Accelerate, set up for this run and connected to the run's other processes.

    Raises
    ------
    ValueError
        As for :func:`available_device`.
    """
    device = available_device(config)
    # Accelerate keeps the device and precision of a process's first run; another run may want others.
    AcceleratorState._reset_state(reset_partial_state=not torch.distributed.is_initialized())
    GradientState._reset_state()
    precision = "no" if config.precision == "fp32" else config.precision
    with patch_environment(accelerate_use_fsdp="false"):
        return Accelerator(cpu=device == "cpu", mixed_precision=precision)


def is_main_process() -> bool:
    """Whether this process is alone or the first of several: the one that writes files."""
    return not torch.distributed.is_initialized() or torch.distributed.get_rank() == 0


def is_sharded(config: TrainingConfig, n_processes: int) -> bool:
    """Whether several processes split the weights: by the settings or ``accelerate launch --use_fsdp``.

    Raises
    ------
    ValueError
        If the precision is fp16.
    """
    asks = config.sharding == "fsdp" or os.environ.get("ACCELERATE_USE_FSDP", "false").lower() == "true"
    if asks and config.precision == "fp16":
        raise ValueError("precision 'fp16' cannot be sharded: use 'bf16', which needs no loss scale")
    return asks and n_processes > 1


def agree(value: float) -> float:
    """The first process's value."""
    return broadcast_object_list([value])[0]


def shard(module: nn.Module) -> None:
    """Split the first process's ``module`` among all, parameter by parameter.

    Each block is one unit, and the rest another; a unit is whole only while it computes.
    """
    for tensor in module.state_dict().values():
        torch.distributed.broadcast(tensor, src=0)
    mesh = init_device_mesh(device_of(module).type, (torch.distributed.get_world_size(),))
    for block in [part for part in module.modules() if isinstance(part, TransformerBlock)]:
        fully_shard(block, mesh=mesh)
    fully_shard(module, mesh=mesh)


def whole(tensor: Tensor) -> Tensor:
    """A sharded tensor put together, which all processes must ask for at once; others as they are."""
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def shard_like(tensor: Tensor, other: Tensor) -> Tensor:
    """``tensor`` split as ``other`` is, if that is sharded and of the same shape."""
    if isinstance(other, DTensor) and tensor.shape == other.shape:
        return distribute_tensor(tensor.to(other.device), other.device_mesh, other.placements)
    return tensor
