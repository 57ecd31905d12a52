"""The losses that training minimizes, each the mean over the targets of a batch, in nats.

The smoothed cross-entropy keeps a model from betting everything on one token (chapter 12); the losses of a
batch say what a model reads of it and what it is scored on (chapters 4, 11 and 13).
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.checks import check_positive
from transformer_lib.interfaces import (
    ConditionalModel,
    SequenceModel,
    at_least_float32,
    map_state,
)

__all__ = [
    "IGNORED_TARGET",
    "StreamLoss",
    "language_model_loss",
    "n_targets",
    "sampled_cross_entropy",
    "sampled_language_model_loss",
    "smoothed_cross_entropy",
    "translation_loss",
]

IGNORED_TARGET = -100
"""A target that no loss counts."""


def smoothed_cross_entropy(
    logits: Float[Tensor, "*batch vocab"], targets: Int[Tensor, "*batch"], label_smoothing: float = 0.0
) -> Float[Tensor, ""]:
    r"""Mean cross-entropy, in nats, to the targets mixed with the uniform distribution.

    With smoothing :math:`\epsilon` and :math:`V` tokens, a target :math:`y` costs
    :math:`-\sum_v q_v \log p_v`, where :math:`q_v = (1 - \epsilon) [v = y] + \epsilon / V`. Targets of -100
    are padding and count for nothing; if there are no others, the mean is 0.

    Source: Szegedy et al. (2016), section 7
    """
    targets = targets.long().flatten()  # (rows,)
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))  # sums need its digits
    total = F.cross_entropy(
        logits.flatten(0, -2),  # (rows, vocab)
        targets,
        ignore_index=IGNORED_TARGET,
        reduction="sum",
        label_smoothing=label_smoothing,
    )
    return total / (targets != IGNORED_TARGET).sum().clamp(min=1)


def language_model_loss(
    model: SequenceModel, batch: tuple[Tensor, ...], label_smoothing: float = 0.0
) -> Float[Tensor, ""]:
    r"""Mean :math:`-\log p(x_t \mid x_{<t})` of a batch (inputs, targets), in nats per token.

    Targets of -100 are padding. With ``functools.partial(language_model_loss, label_smoothing=0.1)`` it is
    the :func:`~transformer_lib.losses.smoothed_cross_entropy`.

    Source: S1, S5
    """
    inputs, targets = batch  # (batch, time) each
    return smoothed_cross_entropy(model(inputs), targets, label_smoothing)  # logits: (batch, time, vocab)


def sampled_cross_entropy(
    z: Float[Tensor, "rows d_model"],
    word_vectors: Float[Tensor, "vocab d_model"],
    targets: Int[Tensor, "rows"],
    n_others: int,
) -> Float[Tensor, ""]:
    r"""Mean cross-entropy of a softmax over many words, estimated from some of them; in nats.

    A batch's own words :math:`B`, its targets, stand in every normalizer as they are. Of all others
    ``n_others`` are drawn without replacement, :math:`S`, and count for the rest as well:

    .. math::
        \hat Z = \sum_{v \in B} e^{w_v^\top z} + \frac{V - |B|}{|S|} \sum_{v \in S} e^{w_v^\top z}

    Given the batch this is the normalizer on average, and exact where :math:`S` is all others. So for a
    vocabulary of some ten thousand words a step costs a tenth, and the model is scored by its exact softmax.
    The draws are from PyTorch's global generator, as those of dropout. No target may be padding.

    Raises
    ------
    ValueError
        If ``n_others`` is below 1.

    Source: N9; sampling after Bengio and Senecal (2003) and Jean et al. (2015), stratified
    """
    check_positive(n_others=n_others)
    own, places = targets.long().unique(return_inverse=True)  # (own,), and places in it: (rows,)
    is_other = torch.ones(len(word_vectors), dtype=torch.bool, device=own.device)  # (vocab,)
    is_other[own] = False
    others = is_other.nonzero().squeeze(1)  # (others,)
    drawn = others[torch.randperm(len(others), device=own.device)[:n_others]]  # (drawn,)
    logits = at_least_float32(F.linear(z, word_vectors[torch.cat([own, drawn])]))  # (rows, own + drawn)
    if len(drawn):
        weights = logits.new_zeros(logits.shape[1])  # (own + drawn,)
        weights[len(own) :] = math.log(len(others) / len(drawn))
        logits = logits + weights
    return F.cross_entropy(logits, places)


def sampled_language_model_loss(model: Any, batch: tuple[Tensor, ...], n_others: int) -> Float[Tensor, ""]:
    """:func:`language_model_loss` by :func:`sampled_cross_entropy`, without padding.

    For a :class:`~transformer_lib.transformer.language_model.DecoderLM` in one process, or with whole weights
    in each.

    Source: S1, S5
    """
    inputs, targets = batch  # (batch, time) each
    z = model.features(inputs)  # (batch, time, d_model)
    return sampled_cross_entropy(z.flatten(0, -2), model.word_vectors, targets.flatten(), n_others)


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
            # Only the tensors were stored; a new state of the model says how they hang together.
            tensors = iter(self._restored)
            state = _on_tensors(lambda _: next(tensors).to(inputs.device), model.init_state(len(inputs)))
            self._restored = None
        if begins or state is None:
            state = model.init_state(len(inputs))
        logits, state = model.logits_and_state(inputs, state)  # (batch, time, vocab)
        self._state = _on_tensors(Tensor.detach, state)  # where backpropagation is truncated
        return smoothed_cross_entropy(logits, targets)

    def state_dict(self) -> dict[str, Tensor]:
        """What is carried, tensor by tensor."""
        tensors = self._restored if self._restored is not None else _tensors(self._state)
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
    source, source_lengths, inputs, targets = batch  # (batch, source_time), (batch,), (batch, time) twice
    # logits: (batch, time, vocab)
    return smoothed_cross_entropy(model(source, inputs, source_lengths), targets, label_smoothing)


def n_targets(batch: Any) -> int:
    """How much a batch weighs in the mean of several: the entries of its targets that are no padding.

    The targets are what the batch calls so, else its last tensor.
    """
    parts = [batch] if isinstance(batch, Tensor) else [part for part in batch if isinstance(part, Tensor)]
    targets = batch.targets if hasattr(batch, "targets") else parts[-1]
    return int((targets != IGNORED_TARGET).sum())


def _on_tensors(function: Callable[[Tensor], Tensor], state: Any) -> Any:
    return map_state(lambda part: function(part) if isinstance(part, Tensor) else part, state)


def _tensors(state: Any) -> list[Tensor]:
    found: list[Tensor] = []

    def note(part: Tensor) -> Tensor:
        found.append(part)
        return part

    _on_tensors(note, state)
    return found
