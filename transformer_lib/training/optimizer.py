"""What updates a model, which of its parameters decay, and an optimizer's state by their names."""

from typing import Any

from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_optimizer_state_dict
from torch.optim import AdamW, Muon, Optimizer

from transformer_lib.training.config import TrainingConfig

__all__ = ["moments", "optimizers", "parameter_groups"]

TABLES = (nn.Embedding, nn.EmbeddingBag)
LINEAR_MAPS = (
    *(nn.Linear, nn.Bilinear, nn.MultiheadAttention, nn.RNNBase, nn.RNNCellBase),
    *(nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d),
)


def optimizers(model: nn.Module, config: TrainingConfig) -> list[Optimizer]:
    r"""What makes the updates of ``model``: AdamW, or Muon for its matrices and AdamW for the rest.

    The matrices are those of linear maps that decay, as :func:`parameter_groups` says, without a head.
    Muon moves a matrix with the momentum :math:`B` of its gradient by about :math:`U V^\top`, where
    :math:`B = U \Sigma V^\top`: all directions by equally much. The move is scaled by
    :math:`0.2 \sqrt{\max(m, n)}` for :math:`m \times n` numbers, so that its entries are as large as AdamW's
    usual ones and one learning rate suits both.

    Raises
    ------
    ValueError
        If Muon is asked for and there is no matrix of a linear map.

    Source: Jordan et al. (2024) for Muon; Liu et al. (2025), section 2.2, for the scale
    """
    betas = (config.beta1, config.beta2)
    adam: dict[str, Any] = {"lr": config.learning_rate, "betas": betas, "eps": config.eps, "fused": True}
    if config.optimizer == "adamw":
        return [AdamW(parameter_groups(model, config.weight_decay), **adam)]
    maps, others = _linear_maps_and_others(model)
    heads = {id(p) for name, p in model.named_parameters() if name.split(".")[-2:] == ["head", "weight"]}
    matrices = [parameter for parameter in maps if parameter.ndim == 2 and id(parameter) not in heads]
    if not matrices:
        raise ValueError("optimizer 'muon' is for the matrices of linear maps, and this model has none")
    known = {id(parameter) for parameter in matrices}
    groups = _groups([p for p in maps if id(p) not in known], others, config.weight_decay)
    scaled: dict[str, Any] = {"adjust_lr_fn": "match_rms_adamw", "weight_decay": config.weight_decay}
    muon = Muon(matrices, lr=config.learning_rate, **scaled)
    return [muon, AdamW(groups, **adam)] if groups else [muon]


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """AdamW's groups of parameters: those that decay, and those that do not.

    The matrices of linear maps, convolutions and recurrent cells decay, and so do parameters that their
    module names in its attribute ``decays``, a tuple of names. All others do not: embeddings and a head that
    is tied to one, tables, biases, gains, initial states. A group without parameters is left out.
    """
    return _groups(*_linear_maps_and_others(model), weight_decay)


def moments(model: nn.Module, *optimizers: Optimizer) -> dict[str, Tensor]:
    """The optimizers' state by parameter name, whole; the processes of a sharded model must all ask for it.

    Raises
    ------
    ValueError
        If the optimizer has other parameters than the model's, or a state that is not made of tensors.
    """
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


def _groups(
    maps: list[nn.Parameter], others: list[nn.Parameter], weight_decay: float
) -> list[dict[str, Any]]:
    groups = [{"params": maps, "weight_decay": weight_decay}, {"params": others, "weight_decay": 0.0}]
    return [group for group in groups if group["params"]]


def _linear_maps_and_others(model: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """The parameters to train: those that decay, as :func:`parameter_groups` says, and those that do not."""
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
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    maps = [parameter for parameter in trained if id(parameter) in decaying - tables]
    return maps, [parameter for parameter in trained if id(parameter) not in decaying - tables]
