r"""What makes a small corpus go further: words hidden from the history, and targets not quite certain.

Input dropout hides single words, embedding dropout a word wherever it stands, and label smoothing keeps a
model from betting everything on one token. Chapter 12 measures what each is worth. All that is random is
drawn from PyTorch's global generator, as in ``nn.Dropout``; the training loop seeds it batch by batch.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.inference import at_least_float32
from transformer_lib.validation import check_probability

__all__ = ["IGNORED_TARGET", "embed_with_dropout", "smoothed_cross_entropy"]

IGNORED_TARGET = -100


def embed_with_dropout(
    embedding: nn.Embedding,
    tokens: Int[Tensor, "*batch"],
    input_dropout: float = 0.0,
    embedding_dropout: float = 0.0,
    training: bool = True,
) -> Float[Tensor, "*batch d_model"]:
    r"""Embedded tokens, some of them hidden: :math:`m_t \, r_{x_t} \, E_{x_t}`, and :math:`E_{x_t}` in use.

    :math:`m_t \in \{0, 1\}` is drawn for each token of each sequence, and is 0 with the probability
    ``input_dropout``: a history with that word missing. It is not rescaled, since a missing word leaves the
    others as they are. :math:`r_w \in \{0, 1 / (1 - p)\}` is drawn once a call for each row of the embedding
    matrix, and is 0 with the probability :math:`p =` ``embedding_dropout``: all occurrences of a word vanish
    together, and the mean embedding stays the same.

    The slides' embedding dropout masks single dimensions of the embedded input: that is ``F.dropout`` of what
    this returns.

    Parameters
    ----------
    training
        If not, nothing is hidden.

    Raises
    ------
    ValueError
        If a probability is not at least 0 and below 1.

    Source: slides, dataset augmentation; Dai and Le (2015) for input dropout; Gal and Ghahramani (2016) and
    Merity et al. (2018) for embedding dropout
    """
    check_probability("input_dropout", input_dropout)
    check_probability("embedding_dropout", embedding_dropout)
    embedded = embedding(tokens)
    if not training:
        return embedded
    if embedding_dropout > 0:
        rows = embedded.new_ones(embedding.num_embeddings)
        rows = F.dropout(rows, embedding_dropout)
        embedded = embedded * rows[tokens.long()].unsqueeze(-1)
    if input_dropout > 0:
        hidden = torch.rand(tokens.shape, device=tokens.device) < input_dropout
        embedded = embedded.masked_fill(hidden.unsqueeze(-1), 0.0)
    return embedded


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
