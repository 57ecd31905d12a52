"""Linear maps, how their weights begin, and which matrix product computes them.

Nearly all the arithmetic of a Transformer is in its linear maps. On a CPU PyTorch has two libraries for them,
the one it was built with and oneDNN, and which is faster differs from machine to machine:
:func:`fastest_matmul` measures it, :func:`use_matmul` chooses. The results differ by rounding, so that
PyTorch's own choice holds unless another is asked for. Chapter 15 measures what the choice is worth.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

__all__ = [
    "MATMULS",
    "WORKLOADS",
    "Linear",
    "fastest_matmul",
    "has_onednn",
    "linear",
    "transposed_weights",
    "use_matmul",
]

MATMULS = ("torch", "onednn")
WORKLOADS = ("training", "sampling")
ONEDNN_ARGUMENTS = ["X", "W", "B", "attr", "scalars", "algorithm"]
WORTHWHILE = 0.95
REPEATS = 5

_matmul = "torch"


def linear(
    x: Float[Tensor, "*batch d_in"],
    weight: Float[Tensor, "d_out d_in"],
    bias: Float[Tensor, "d_out"] | None = None,
) -> Float[Tensor, "*batch d_out"]:
    r""":math:`W x + b` at every position, by the product that :func:`use_matmul` has chosen."""
    if _matmul == "torch" or not _suits_onednn(x, weight, bias):
        return F.linear(x, weight, bias)
    if torch.is_grad_enabled():
        return _OneDnnLinear.apply(x, weight, bias)
    return _onednn_linear(x, weight, bias)


class Linear(nn.Linear):
    """PyTorch's linear layer, computed by :func:`linear`."""

    def forward(self, x: Float[Tensor, "*batch d_in"]) -> Float[Tensor, "*batch d_out"]:
        r""":math:`W x + b` at every position."""
        return linear(x, self.weight, self.bias)


@contextmanager
def use_matmul(name: str) -> Iterator[None]:
    """Inside, linear maps run on ``"torch"``, PyTorch's own choice, or on ``"onednn"``.

    oneDNN computes products of float32 numbers on a CPU, forward and backward; whatever else there is, such
    as autocast, a GPU or compiled code, stays PyTorch's. A gradient belongs to the product that its forward
    pass was computed by; gradients of gradients do not exist for oneDNN's. The choice holds for all threads.

    Raises
    ------
    ValueError
        If the name is neither, or this PyTorch has no oneDNN that can be used.
    """
    global _matmul
    if name not in MATMULS:
        raise ValueError(f"matmul {name!r} is not one of {', '.join(map(repr, MATMULS))}")
    if name == "onednn" and not has_onednn():
        raise ValueError("matmul 'onednn' is not available in this build of PyTorch: choose 'torch'")
    before, _matmul = _matmul, name
    try:
        yield
    finally:
        _matmul = before


@cache
def has_onednn() -> bool:
    """Whether this PyTorch offers oneDNN's product in the form that :func:`linear` calls it."""
    if not torch.backends.mkldnn.is_available() or not hasattr(torch.ops.mkldnn, "_linear_pointwise"):
        return False
    schema = torch.ops.mkldnn._linear_pointwise.default._schema
    return [argument.name for argument in schema.arguments] == ONEDNN_ARGUMENTS


@cache
def fastest_matmul(workload: str) -> str:
    """The matrix product that is faster here and now, on the CPU; measured once a process, in about a second.

    Parameters
    ----------
    workload
        ``"training"``: products of large matrices, forward and backward; or ``"sampling"``: of a vector and
        weights that do not fit the processor's cache.

    Returns
    -------
    A name for :func:`use_matmul`: ``"onednn"`` if it takes less than 0.95 of the time.

    Raises
    ------
    ValueError
        If the workload is neither.
    """
    if workload not in WORKLOADS:
        raise ValueError(f"workload {workload!r} is not one of {', '.join(map(repr, WORKLOADS))}")
    if not has_onednn():
        return "torch"
    run = _training_products() if workload == "training" else _sampling_products()
    fastest = dict.fromkeys(MATMULS, float("inf"))
    for repeat in range(REPEATS + 1):
        for name in MATMULS:
            with use_matmul(name):
                begun = time.perf_counter()
                run()
                seconds = time.perf_counter() - begun
            if repeat > 0:
                fastest[name] = min(fastest[name], seconds)
    return "onednn" if fastest["onednn"] < WORTHWHILE * fastest["torch"] else "torch"


@contextmanager
def transposed_weights(model: nn.Module) -> Iterator[None]:
    """Inside, for sampling, the weights of every :class:`Linear` lie in memory column by column.

    A vector is multiplied by them faster then, on most processors. Values, shapes and names are what they
    were, results differ by rounding. No gradients are recorded inside: optimizers know the other order.
    """
    weights = [module.weight for module in model.modules() if isinstance(module, Linear)]
    for weight in weights:
        weight.data = weight.data.t().contiguous().t()
    try:
        with torch.no_grad():
            yield
    finally:
        for weight in weights:
            weight.data = weight.data.contiguous()


def _suits_onednn(x: Tensor, weight: Tensor, bias: Tensor | None) -> bool:
    if torch.compiler.is_compiling() or torch.is_autocast_enabled("cpu"):
        return False
    return (
        x.numel() > 0
        and x.shape[-1:] == weight.shape[1:]
        and all(
            part.device.type == "cpu" and part.dtype == torch.float32 and type(part) in (Tensor, nn.Parameter)
            for part in (x, weight, bias)
            if part is not None
        )
    )


def _onednn_linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    y = _onednn_product(_rows(x), weight, bias)
    return y.view(*x.shape[:-1], weight.shape[0])


def _rows(x: Tensor) -> Tensor:
    return x.reshape(-1, x.shape[-1]).contiguous()


def _onednn_product(rows: Tensor, matrix: Tensor, bias: Tensor | None = None) -> Tensor:
    r""":math:`R M^\top + b`."""
    return torch.ops.mkldnn._linear_pointwise.default(rows, matrix, bias, "none", [], "")


class _OneDnnLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(x, weight)
        return _onednn_linear(x, weight, bias)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, weight = ctx.saved_tensors
        needs_x, needs_weight, needs_bias = ctx.needs_input_grad
        rows = _rows(grad)
        grad_x = _onednn_product(rows, weight.t()).view(x.shape) if needs_x else None
        grad_weight = _product_over_rows(rows, _rows(x)) if needs_weight else None
        return grad_x, grad_weight, rows.sum(0) if needs_bias else None


def _product_over_rows(left: Tensor, right: Tensor) -> Tensor:
    r""":math:`L^\top R`: what oneDNN is given first it copies if it is transposed, so the narrower matrix."""
    if left.shape[1] <= right.shape[1]:
        return _onednn_product(left.t(), right.t())
    return _onednn_product(right.t(), left.t()).t()


def _training_products() -> Callable[[], None]:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(1024, 384, generator=generator).requires_grad_()
    weights = [torch.randn(shape, generator=generator) for shape in ((1536, 384), (384, 1536))]

    @torch.enable_grad()
    def run() -> None:
        up, down = (weight.requires_grad_() for weight in weights)
        linear(linear(x, up), down).sum().backward()

    return run


def _sampling_products() -> Callable[[], None]:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(1, 384, generator=generator)
    weights = torch.randn(24, 1536, 384, generator=generator)

    @torch.no_grad()
    def run() -> None:
        for weight in weights:
            linear(x, weight)

    return run
