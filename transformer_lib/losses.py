r"""What makes a small corpus go further: words hidden from the history, and targets not quite certain.

Input dropout hides single words, embedding dropout a word wherever it stands, and label smoothing keeps a
model from betting everything on one token. Chapter 12 measures what each is worth. All that is random is
drawn from PyTorch's global generator, as in ``nn.Dropout``; the training loop seeds it batch by batch.
"""

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.checks import check_probability
from transformer_lib.interfaces import at_least_float32

__all__ = ["IGNORED_TARGET", "smoothed_cross_entropy"]

IGNORED_TARGET = -100
"""A target that no loss counts."""


def smoothed_cross_entropy(
    logits: Float[Tensor, "*batch vocab"], targets: Int[Tensor, "*batch"], label_smoothing: float = 0.0
) -> Float[Tensor, ""]:
    r"""Mean cross-entropy, in nats, to the targets mixed with the uniform distribution.

    With smoothing :math:`\epsilon` and :math:`V` tokens, a target :math:`y` costs
    :math:`-\sum_v q_v \log p_v`, where :math:`q_v = (1 - \epsilon) [v = y] + \epsilon / V`. Targets of -100
    are padding and count for nothing; if there are no others, the mean is 0.

    Raises
    ------
    ValueError
        If the smoothing is not at least 0 and below 1.

    Source: Szegedy et al. (2016), section 7
    """
    check_probability("label_smoothing", label_smoothing)
    targets = targets.long().flatten()
    logits = at_least_float32(logits)
    total = F.cross_entropy(
        logits.flatten(0, -2),
        targets,
        ignore_index=IGNORED_TARGET,
        reduction="sum",
        label_smoothing=label_smoothing,
    )
    return total / (targets != IGNORED_TARGET).sum().clamp(min=1)
