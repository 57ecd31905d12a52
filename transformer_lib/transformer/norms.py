"""Normalization, position by position: LayerNorm in the sources' three definitions, and RMSNorm.

Chapter 10 compares the definitions.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.checks import check_choice

__all__ = ["EPSILON_PLACES", "NORM_KINDS", "LayerNorm", "RMSNorm", "normalization"]


EPSILON_PLACES = ("variance", "deviation")
NORM_KINDS = ("layer", "rms")


class LayerNorm(nn.Module):
    r"""Each position by itself: :math:`\gamma (z - \mu_z) / \sqrt{\sigma_z^2 + \epsilon} + \beta`.

    :math:`\mu_z` and :math:`\sigma_z^2` are the mean and the population variance of the position's features.
    With ``eps=0`` this is the note's definition, which has no value where all features are equal.

    Parameters
    ----------
    scalar
        One :math:`\gamma` and one :math:`\beta` for all features, as in the note's block, instead of vectors.
    eps_on
        ``"variance"``, or ``"deviation"`` to divide by :math:`\sigma_z + \epsilon`, as Stratos does with
        :math:`\epsilon = 0.001`; anything else is a ``ValueError``.

    Source: N7, N8, S13; scalar: N4, N6; deviation: K16
    """

    def __init__(
        self, d_model: int, *, eps: float = 1e-5, scalar: bool = False, eps_on: str = "variance"
    ) -> None:
        super().__init__()
        check_choice("eps_on", eps_on, EPSILON_PLACES)
        self.d_model, self.eps, self.scalar, self.eps_on = d_model, eps, scalar, eps_on
        shape = () if scalar else (d_model,)
        self.gain = nn.Parameter(torch.ones(shape))
        self.bias = nn.Parameter(torch.zeros(shape))

    def forward(self, z: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """The normalized features, position by position."""
        if self.eps_on == "deviation":
            if z.numel() == 0:
                return z
            deviation, mean = torch.std_mean(z, dim=-1, correction=0, keepdim=True)
            return self.gain * ((z - mean) / (deviation + self.eps)) + self.bias
        if self.scalar:
            return F.layer_norm(z, (self.d_model,), eps=self.eps) * self.gain + self.bias
        return F.layer_norm(z, (self.d_model,), self.gain, self.bias, self.eps)


class RMSNorm(nn.Module):
    r"""Each position by itself: :math:`\gamma z / \sqrt{\tfrac{1}{d} \sum_i z_i^2 + \epsilon}`.

    No mean is subtracted, and no bias added. With ``eps=0`` this is the paper's definition, which has no
    value where all features are 0.

    Source: Zhang and Sennrich (2019), equation (4)
    """

    def __init__(self, d_model: int, *, eps: float = 1e-5) -> None:
        super().__init__()
        self.d_model, self.eps = d_model, eps
        self.gain = nn.Parameter(torch.ones(d_model))

    def forward(self, z: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """The normalized features, position by position."""
        return F.rms_norm(z, (self.d_model,), self.gain, self.eps)


def normalization(
    kind: str, d_model: int, *, eps: float = 1e-5, scalar: bool = False, eps_on: str = "variance"
) -> LayerNorm | RMSNorm:
    """The :class:`LayerNorm` or, where ``kind`` is ``"rms"``, the :class:`RMSNorm` with these options.

    Raises
    ------
    ValueError
        If the kind is unknown, or an RMSNorm is asked for what only a LayerNorm has.
    """
    check_choice("norm_kind", kind, NORM_KINDS)
    if kind == "layer":
        return LayerNorm(d_model, eps=eps, scalar=scalar, eps_on=eps_on)
    if scalar or eps_on != "variance":
        raise ValueError("an RMSNorm has a gain for each feature, and its eps below the root")
    return RMSNorm(d_model, eps=eps)
