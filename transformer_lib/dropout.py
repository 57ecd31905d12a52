"""Dropout of words: some are hidden whole, in the input or in the embedding matrix (chapter 12)."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.checks import check_probability

__all__ = ["embed_with_dropout"]


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
    embedded = embedding(tokens)  # (*batch, d_model)
    if not training:
        return embedded
    if embedding_dropout > 0:
        rows = embedded.new_ones(embedding.num_embeddings)  # (vocab,)
        rows = F.dropout(rows, embedding_dropout)  # 0 or 1 / (1 - p)
        embedded = embedded * rows[tokens.long()].unsqueeze(-1)
    if input_dropout > 0:
        # (*batch): a word is hidden whole
        hidden = torch.rand(tokens.shape, device=tokens.device) < input_dropout
        embedded = embedded.masked_fill(hidden.unsqueeze(-1), 0.0)
    return embedded
