"""What a training run reads and what it makes small."""

from typing import Any, Protocol, runtime_checkable

from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from transformer_lib.autoregressive import DensityModel, SequenceModel

__all__ = ["Batches", "density_loss", "language_model_loss"]


@runtime_checkable
class Batches(Protocol):
    """Training data by number: ``batch(i)`` gives the same tensors whenever it is asked for."""

    def batch(self, step: int) -> Any:
        """A tensor, or a tuple of them, on the CPU."""


def language_model_loss(model: SequenceModel, batch: tuple[Tensor, Tensor]) -> Float[Tensor, ""]:
    r"""Mean :math:`-\log p(x_t \mid x_{<t})` of a batch (inputs, targets), in nats a token.

    Source: S1, S5
    """
    inputs, targets = batch
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


def density_loss(model: DensityModel, batch: Tensor) -> Float[Tensor, ""]:
    r"""Mean :math:`-\log p(x)` of a batch of sequences, in nats a sequence.

    Source: S1
    """
    return -model.log_prob(batch).mean()
