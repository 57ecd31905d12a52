"""Where a run computes: its device and precision, and the processes that share its batches and weights.

All of it is PyTorch's own: ``torchrun`` starts the processes, DDP or FSDP (``fully_shard``) averages their
gradients, and autocast lowers the precision (chapter 15). What only a sharded run needs is imported where it
is used: that takes a second.
"""

import copy
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from transformer_lib.training.config import TrainingConfig
from transformer_lib.transformer.block import TransformerBlock
from transformer_lib.transformer.stack import TransformerStack

__all__ = ["Objective", "Processes", "available_device", "is_main_process", "to_device"]


def available_device(config: TrainingConfig) -> str:
    """The device of a run: ``config.device``, or what ``"auto"`` stands for here.

    Raises
    ------
    ValueError
        If this machine has no such device, or the device cannot compute in ``config.precision``.
    """
    has = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not has.get(config.device, True):
        found = ", ".join(["cpu", *(name for name, is_there in has.items() if is_there)])
        raise ValueError(f"device {config.device!r} is not available here; there is: {found}")
    device = config.device if config.device != "auto" else next((name for name in has if has[name]), "cpu")
    if config.precision == "fp16" and device == "cpu":
        raise ValueError("precision 'fp16' needs a GPU; on a CPU use 'bf16' or 'fp32'")
    return device


def is_main_process() -> bool:
    """Whether this process is alone or the first of several: the one that writes files."""
    if dist.is_initialized():
        return dist.get_rank() == 0
    return not dist.is_torchelastic_launched() or os.environ.get("RANK", "0") == "0"


class Objective(nn.Module):
    """The loss as a module, because DDP and FSDP share the work of a module's call."""

    def __init__(self, model: nn.Module, loss: Callable[[Any, Any], Tensor]) -> None:
        super().__init__()
        self.model, self.loss = model, loss

    def forward(self, batch: Any) -> Tensor:
        """The loss of ``batch``."""
        return self.loss(self.model, batch)


class Processes:
    """The processes of a run as one of them sees them; a run that was not launched by ``torchrun`` has one.

    Attributes
    ----------
    device : torch.device
        Where this process computes.
    rank, count : int
        Which of how many processes this is.
    """

    def __init__(self, config: TrainingConfig) -> None:
        self.config, kind = config, available_device(config)
        if dist.is_torchelastic_launched() and not dist.is_initialized():
            dist.init_process_group()
        is_group = dist.is_initialized()
        self.rank, self.count = (dist.get_rank(), dist.get_world_size()) if is_group else (0, 1)
        self.device = torch.device(kind)
        if kind == "cuda":
            self.device = torch.device(kind, int(os.environ.get("LOCAL_RANK", torch.cuda.current_device())))
            torch.cuda.set_device(self.device)

    def share(self, model: nn.Module, loss: Callable[[Any, Any], Tensor]) -> tuple[nn.Module, nn.Module]:
        """The model to train and its objective, which all processes begin with the first one's weights.

        The model is ``model`` or, where the processes split the weights, a sharded copy. Each block is one
        unit of the copy, and the rest another; a unit is whole only while it computes.

        Raises
        ------
        ValueError
            If activations of blocks are to be computed again, and the model has no such blocks.
        """
        model.to(self.device)
        again = self.config.activation_checkpointing
        stacks = [part for part in model.modules() if isinstance(part, TransformerStack)]
        if again and not stacks:
            kind = type(model).__name__
            raise ValueError(f"activation_checkpointing is for a Transformer's blocks: a {kind} has none")
        for stack in stacks:
            stack.recomputes = again
        if self.count == 1:
            return model, Objective(model, loss)
        if self.config.sharding == "none":
            return model, DistributedDataParallel(Objective(model, loss))
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard

        trained = copy.deepcopy(model)
        objective = Objective(trained, loss)
        mesh = init_device_mesh(self.device.type, (self.count,))
        for block in [part for part in trained.modules() if isinstance(part, TransformerBlock)]:
            fully_shard(block, mesh=mesh)
        fully_shard(objective, mesh=mesh)
        self.scatter(model, trained)
        return trained, objective

    def scatter(self, model: nn.Module, trained: nn.Module) -> None:
        """Give the first process's weights of ``model`` to ``trained``, its sharded copy."""
        from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict

        options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
        set_model_state_dict(trained, model.state_dict(), options=options)

    def gather(self, trained: nn.Module, model: nn.Module) -> None:
        """Give ``model`` the weights of ``trained``, its sharded copy."""
        from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict

        model.load_state_dict(get_model_state_dict(trained, options=StateDictOptions(full_state_dict=True)))

    def autocast(self) -> AbstractContextManager[Any]:
        """The context in which the loss is computed in the precision of the run."""
        dtype = torch.float16 if self.config.precision == "fp16" else torch.bfloat16
        return torch.autocast(self.device.type, dtype, enabled=self.config.precision != "fp32")

    def averaging(self, objective: nn.Module, is_last: bool) -> AbstractContextManager[None]:
        """The context of a backward pass: gradients are averaged in the last one of an update only."""
        if isinstance(objective, DistributedDataParallel):
            return nullcontext() if is_last else objective.no_sync()
        if self.count > 1:
            from torch.distributed.fsdp import FSDPModule

            assert isinstance(objective, FSDPModule)
            objective.set_requires_gradient_sync(is_last)
        return nullcontext()

    def sum(self, tensor: Tensor) -> Tensor:
        """The sum over the processes."""
        if self.count > 1:
            tensor = tensor.to(self.device)
            dist.all_reduce(tensor)
        return tensor

    def first(self, value: float) -> float:
        """The first process's value, for which the others wait."""
        if self.count == 1:
            return value
        tensor = torch.tensor(value, dtype=torch.float64, device=self.device)  # as exact as the float
        dist.broadcast(tensor, src=0)
        return tensor.item()


def to_device(batch: Any, device: torch.device) -> Any:
    """A batch with its tensors on ``device``; what is neither a tensor nor a sequence stays as it is."""
    if isinstance(batch, Tensor):
        return batch.to(device)
    if not isinstance(batch, tuple | list):
        return batch
    parts = [to_device(part, device) for part in batch]
    return type(batch)(*parts) if hasattr(batch, "_fields") else type(batch)(parts)
