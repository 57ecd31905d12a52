"""What a training run reads and what it makes small."""

from typing import Any, Protocol, runtime_checkable

from jaxtyping import Float
from torch import Tensor

from transformer_lib.augmentation import IGNORED_TARGET, smoothed_cross_entropy
from transformer_lib.autoregressive import ConditionalModel, DensityModel, SequenceModel

__all__ = ["Batches", "density_loss", "language_model_loss", "n_targets", "translation_loss"]


@runtime_checkable
class Batches(Protocol):
    """Training data by number: ``batch(i)`` gives the same tensors whenever it is asked for."""

    def batch(self, step: int) -> Any:
        """A tensor, or a tuple of them, on the CPU."""


def language_model_loss(
    model: SequenceModel, batch: tuple[Tensor, ...], label_smoothing: float = 0.0
) -> Float[Tensor, ""]:
    r"""Mean :math:`-\log p(x_t \mid x_{<t})` of a batch (inputs, targets), in nats a token.

    Targets of -100 are padding. With ``functools.partial(language_model_loss, label_smoothing=0.1)`` it is
    the :func:`~transformer_lib.augmentation.smoothed_cross_entropy`.

    Source: S1, S5
    """
    inputs, targets = batch
    return smoothed_cross_entropy(model(inputs), targets, label_smoothing)


def translation_loss(
    model: ConditionalModel, batch: tuple[Tensor, ...], label_smoothing: float = 0.0
) -> Float[Tensor, ""]:
    r"""Mean :math:`-\log p(y_t \mid y_{<t}, x)` of a batch (source, source_lengths, inputs, targets).

    In nats a target token; targets of -100 are padding. Smoothing is as in :func:`language_model_loss`.

    Source: S1, G1
    """
    source, source_lengths, inputs, targets = batch
    return smoothed_cross_entropy(model(source, inputs, source_lengths), targets, label_smoothing)


def density_loss(model: DensityModel, batch: Tensor) -> Float[Tensor, ""]:
    r"""Mean :math:`-\log p(x)` of a batch of sequences, in nats a sequence.

    Source: S1
    """
    return -model.log_prob(batch).mean()


def n_targets(batch: Any) -> int:
    """How much a batch weighs in the mean of several: the entries of its last tensor that are no padding."""
    targets = batch if isinstance(batch, Tensor) else batch[-1]
    return int((targets != IGNORED_TARGET).sum())
