"""What a training run reads, and the losses that it minimizes."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

from jaxtyping import Float
from torch import Tensor

from transformer_lib.augmentation import IGNORED_TARGET, smoothed_cross_entropy
from transformer_lib.autoregressive import ConditionalModel, DensityModel, SequenceModel, map_state

__all__ = ["Batches", "StreamLoss", "density_loss", "language_model_loss", "n_targets", "translation_loss"]


@runtime_checkable
class Batches(Protocol):
    """Training data by number: ``batch(i)`` gives the same tensors whenever it is asked for."""

    def batch(self, step: int) -> Any:
        """A tensor, or a tuple of them, on the CPU."""


def language_model_loss(
    model: SequenceModel, batch: tuple[Tensor, ...], label_smoothing: float = 0.0
) -> Float[Tensor, ""]:
    r"""Mean :math:`-\log p(x_t \mid x_{<t})` of a batch (inputs, targets), in nats per token.

    Targets of -100 are padding. With ``functools.partial(language_model_loss, label_smoothing=0.1)`` it is
    the :func:`~transformer_lib.augmentation.smoothed_cross_entropy`.

    Source: S1, S5
    """
    inputs, targets = batch
    return smoothed_cross_entropy(model(inputs), targets, label_smoothing)


class StreamLoss:
    r""":func:`language_model_loss` of contiguous streams: a batch continues from the last one's state.

    The batches are (inputs, targets, begins), as :class:`~transformer_lib.data.StreamBatches` gives them, and
    the model has ``logits_and_state``. Gradients do not reach back beyond a batch: truncated backpropagation
    through time. What is carried is saved with the run, so that a resumed run carries it on. An update takes
    one batch in one process.

    Source: S1, S5, S19, S20, S21
    """

    def __init__(self) -> None:
        self._state: Any = None
        self._restored: list[Tensor] | None = None

    def __call__(self, model: Any, batch: tuple[Any, ...]) -> Float[Tensor, ""]:
        """The mean over the batch's targets, in nats per token."""
        inputs, targets, begins = batch
        state = self._state
        if self._restored is not None:
            tensors = iter(self._restored)
            state = _on_tensors(lambda _: next(tensors).to(inputs.device), model.init_state(len(inputs)))
            self._restored = None
        if begins or state is None:
            state = model.init_state(len(inputs))
        logits, state = model.logits_and_state(inputs, state)
        self._state = _on_tensors(Tensor.detach, state)
        return smoothed_cross_entropy(logits, targets)

    def state_dict(self) -> dict[str, Tensor]:
        """What is carried, tensor by tensor."""
        tensors = self._restored if self._restored is not None else list(_tensors(self._state))
        return {str(number): tensor for number, tensor in enumerate(tensors)}

    def load_state_dict(self, tensors: Mapping[str, Tensor]) -> None:
        """Go on with what :meth:`state_dict` gave."""
        self._state = None
        self._restored = [tensors[str(number)] for number in range(len(tensors))] or None


def translation_loss(
    model: ConditionalModel, batch: tuple[Tensor, ...], label_smoothing: float = 0.0
) -> Float[Tensor, ""]:
    r"""Mean :math:`-\log p(y_t \mid y_{<t}, x)` of a batch (source, source_lengths, inputs, targets).

    In nats per target token; targets of -100 are padding. Smoothing is as in :func:`language_model_loss`.

    Source: S1, G1
    """
    source, source_lengths, inputs, targets = batch
    return smoothed_cross_entropy(model(source, inputs, source_lengths), targets, label_smoothing)


def density_loss(model: DensityModel, batch: Tensor) -> Float[Tensor, ""]:
    r"""Mean :math:`-\log p(x)` of a batch of sequences, in nats per sequence.

    Source: S1
    """
    return -model.log_prob(batch).mean()


def n_targets(batch: Any) -> int:
    """How much a batch weighs in the mean of several: the entries of its targets that are no padding.

    The targets are what the batch calls so, else its last tensor.
    """
    targets = batch if isinstance(batch, Tensor) else getattr(batch, "targets", batch[-1])
    return int((targets != IGNORED_TARGET).sum())


def _on_tensors(function: Callable[[Tensor], Tensor], state: Any) -> Any:
    return map_state(lambda part: function(part) if isinstance(part, Tensor) else part, state)


def _tensors(state: Any) -> Iterator[Tensor]:
    if isinstance(state, Tensor):
        yield state
    for part in state if isinstance(state, tuple | list) else ():
        yield from _tensors(part)
