"""What updates a model, which of its parameters decay, and an optimizer's state by their names."""

import math
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer

from transformer_lib.training.config import TrainingConfig

__all__ = ["moments", "optimizers", "parameter_groups", "placed"]

TABLES = (nn.Embedding, nn.EmbeddingBag)
LINEAR_MAPS = (
    *(nn.Linear, nn.Bilinear, nn.MultiheadAttention, nn.RNNBase, nn.RNNCellBase),
    *(nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d),
)


def optimizers(model: nn.Module, config: TrainingConfig) -> list[Optimizer]:
    r"""What makes the updates of ``model``: AdamW, or Muon for its matrices and AdamW for the rest.

    The matrices are the two-dimensional parameters that decay, as :func:`parameter_groups` says, but for the
    ``weight`` of a module called ``head``. Of the gradient :math:`G` of a matrix and its running mean
    :math:`B`, in PyTorch's form with Nesterov's look ahead and a decay of 0.95, Muon takes
    :math:`0.05\,G + 0.95\,B = U \Sigma V^\top` and moves the matrix by about :math:`U V^\top`: all
    directions by equally much. Matrices that are stacked, as queries, keys and values are, move as one. The
    move is scaled by :math:`0.2 \sqrt{\max(m, n)}` for :math:`m \times n` numbers, so that its entries are as
    large as AdamW's usual ones and one learning rate suits both. A processor multiplies for it in float32, a
    GPU in bfloat16.

    Raises
    ------
    ValueError
        If Muon is asked for and there is no matrix of a linear map.

    Source: Jordan et al. (2024) for Muon; Liu et al. (2025), section 2.2, for the scale
    """
    betas = (config.beta1, config.beta2)
    adam: dict[str, Any] = {"lr": config.learning_rate, "betas": betas, "eps": config.eps, "fused": True}
    groups = parameter_groups(model, config.weight_decay)
    if config.optimizer == "adamw":
        return [AdamW(groups, **adam)]
    decaying = [group["params"] for group in parameter_groups(model, 1.0) if group["weight_decay"]]
    heads = {id(p) for name, p in model.named_parameters() if name.split(".")[-2:] == ["head", "weight"]}
    matrices = [p for group in decaying for p in group if p.ndim == 2 and id(p) not in heads]
    if not matrices:
        raise ValueError("optimizer 'muon' is for the matrices of linear maps, and this model has none")
    muon = Muon(matrices, config.learning_rate, config.weight_decay)
    moved = {id(parameter) for parameter in matrices}
    for group in groups:
        group["params"] = [parameter for parameter in group["params"] if id(parameter) not in moved]
    groups = [group for group in groups if group["params"]]
    return [muon, AdamW(groups, **adam)] if groups else [muon]


class Muon(torch.optim.Muon):
    """PyTorch's Muon with AdamW's scale of updates, which on a processor multiplies in float32.

    PyTorch's own multiplies in bfloat16 everywhere. Many processors have no instructions for that: there its
    products took four times as long as all the rest of a training step.
    """

    def __init__(self, matrices: list[Tensor], lr: float, weight_decay: float) -> None:
        super().__init__(matrices, lr=lr, weight_decay=weight_decay, adjust_lr_fn="match_rms_adamw")

    @torch.no_grad()
    def step(self, closure: Any = None) -> Any:
        """Update each matrix that has a gradient."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            iteration = group["ns_coefficients"], group["ns_steps"], group["eps"]
            for matrix in group["params"]:
                if matrix.grad is None:
                    continue
                state = self.state[matrix]
                if "momentum_buffer" not in state:
                    state["momentum_buffer"] = torch.zeros_like(matrix.grad)
                mean = state["momentum_buffer"].lerp_(matrix.grad, 1 - group["momentum"])
                direction = matrix.grad.lerp(mean, group["momentum"])
                is_on_cpu = matrix.device.type == "cpu"
                direction = direction.to(torch.float32 if is_on_cpu else torch.bfloat16)
                matrix.mul_(1 - group["lr"] * group["weight_decay"])
                scale = group["lr"] * 0.2 * math.sqrt(max(matrix.shape))
                matrix.add_(_orthogonalized(direction, *iteration), alpha=-scale)
        return loss


def _orthogonalized(
    matrix: Float[Tensor, "rows columns"], coefficients: tuple[float, float, float], n_steps: int, eps: float
) -> Float[Tensor, "rows columns"]:
    r"""About :math:`U V^\top` of :math:`U \Sigma V^\top`, by Newton's and Schulz's iteration.

    With :math:`X_0 = M / \lVert M \rVert` each step takes
    :math:`X \gets a X + (b X X^\top + c (X X^\top)^2) X`.
    """
    a, b, c = coefficients
    is_tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if is_tall else matrix  # (fewer, more): its square below is the smaller one
    x = x / x.norm().clamp(min=eps)  # no singular value above 1, as the iteration needs
    for _ in range(n_steps):
        square = x @ x.T  # (fewer, fewer)
        x = torch.addmm(x, torch.addmm(square, square, square, beta=b, alpha=c), x, beta=a)
    return x.T if is_tall else x  # (rows, columns)


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """AdamW's groups of parameters: those that decay, and those that do not.

    The matrices of linear maps, convolutions and recurrent cells decay, and so do parameters that their
    module names in its attribute ``decays``, a tuple of names. All others do not: embeddings and a head that
    is tied to one, tables, biases, gains, initial states. A group without parameters is left out.
    """
    decaying: set[int] = set()
    tables: set[int] = set()
    for module in model.modules():
        own = dict(module.named_parameters(recurse=False))
        if isinstance(module, TABLES):
            tables |= {id(parameter) for parameter in own.values()}
        names = list(getattr(module, "decays", ()))
        if isinstance(module, LINEAR_MAPS):
            names += [name for name in own if "weight" in name]
        decaying |= {id(own[name]) for name in names}
    groups: dict[bool, list[Tensor]] = {True: [], False: []}
    for parameter in model.parameters():
        if parameter.requires_grad:
            groups[id(parameter) in decaying - tables].append(parameter)  # a tied head is a table
    return [
        {"params": parameters, "weight_decay": weight_decay if decays else 0.0}
        for decays, parameters in groups.items()
        if parameters
    ]


def moments(model: nn.Module, *optimizers: Optimizer) -> dict[str, Tensor]:
    """The optimizers' state by parameter name, whole; the processes of a sharded model must all ask for it.

    Raises
    ------
    ValueError
        If the optimizer has other parameters than the model's, or a state that is not made of tensors.
    """
    # imported here because that takes a second
    from torch.distributed.checkpoint.state_dict import StateDictOptions, get_optimizer_state_dict

    own = {id(parameter) for parameter in model.parameters()}
    groups = [group for optimizer in optimizers for group in optimizer.param_groups]
    if any(id(parameter) not in own for group in groups for parameter in group["params"]):
        raise ValueError("the optimizer has parameters that are not the model's")
    whole = StateDictOptions(full_state_dict=True)
    tensors: dict[str, Any] = {}
    for optimizer in optimizers:
        if optimizer.state:
            state: dict[str, Any] = get_optimizer_state_dict(model, optimizer, options=whole)["state"]  # type: ignore[assignment]
            for name, of in state.items():
                tensors |= {f"optimizer.{key}.{name}": value for key, value in of.items()}
    for key, value in tensors.items():
        if not isinstance(value, Tensor):
            raise ValueError(f"{key} is no tensor but {value!r}: this optimizer cannot be saved")
    return tensors


def placed(value: Tensor, parameter: Tensor) -> Tensor:
    """A moment as its parameter is placed: split among processes, or as it is."""
    from torch.distributed.tensor import DTensor, distribute_tensor

    if isinstance(parameter, DTensor) and value.shape == parameter.shape:
        return distribute_tensor(value.to(parameter.device), parameter.device_mesh, parameter.placements)
    return value
