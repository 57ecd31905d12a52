"""What an optimizer works on: which parameters decay, and its state by their names."""

from typing import Any

from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_optimizer_state_dict
from torch.optim import Optimizer

__all__ = ["moments", "parameter_groups"]

TABLES = (nn.Embedding, nn.EmbeddingBag)
LINEAR_MAPS = (
    *(nn.Linear, nn.Bilinear, nn.MultiheadAttention, nn.RNNBase, nn.RNNCellBase),
    *(nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d),
)


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
            groups[id(parameter) in decaying - tables].append(parameter)
    return [
        {"params": parameters, "weight_decay": weight_decay if decays else 0.0}
        for decays, parameters in groups.items()
        if parameters
    ]


def moments(model: nn.Module, optimizer: Optimizer) -> dict[str, Tensor]:
    """The optimizer's state by parameter name, whole; the processes of a sharded model must all ask for it.

    Raises
    ------
    ValueError
        If the optimizer has other parameters than the model's, or a state that is not made of tensors.
    """
    own = {id(parameter) for parameter in model.parameters()}
    if any(id(parameter) not in own for group in optimizer.param_groups for parameter in group["params"]):
        raise ValueError("the optimizer has parameters that are not the model's")
    if not optimizer.state:
        return {}
    whole = StateDictOptions(full_state_dict=True)
    state: dict[str, Any] = get_optimizer_state_dict(model, optimizer, options=whole)["state"]  # type: ignore[assignment]
    tensors = {f"optimizer.{key}.{name}": value for name, of in state.items() for key, value in of.items()}
    for key, value in tensors.items():
        if not isinstance(value, Tensor):
            raise ValueError(f"{key} is no tensor but {value!r}: this optimizer cannot be saved")
    return tensors
