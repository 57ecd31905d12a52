"""The layers of a Transformer block, and the block: normalization, the position-wise network, residual lines.

Chapter 10 builds the block from these; chapter 12 studies the places where it drops out activations.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.attention import MultiHeadAttention, projection
from transformer_lib.masks import Mask

__all__ = ["ACTIVATIONS", "FeedForward", "LayerNorm", "TransformerBlock"]

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu}


class LayerNorm(nn.Module):
    r"""Each position by itself: :math:`\gamma (z - \mu_z) / \sqrt{\sigma_z^2 + \epsilon} + \beta`.

    :math:`\mu_z` and :math:`\sigma_z^2` are the mean and the population variance of the position's features.

    Parameters
    ----------
    d_model
        The number of features.
    eps
        Keeps the root away from zero. With ``eps=0`` this is the note's definition, which has no value where
        all features are equal.
    scalar
        One :math:`\gamma` and one :math:`\beta` for all features, as in the note's block, instead of vectors.

    Source: N7, N8, S13; scalar: N4, N6
    """

    def __init__(self, d_model: int, *, eps: float = 1e-5, scalar: bool = False) -> None:
        super().__init__()
        self.d_model, self.eps, self.scalar = d_model, eps, scalar
        shape = () if scalar else (d_model,)
        self.gain = nn.Parameter(torch.ones(shape))
        self.bias = nn.Parameter(torch.zeros(shape))

    def forward(self, z: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """The normalized features, position by position."""
        if self.scalar:
            return F.layer_norm(z, (self.d_model,), eps=self.eps) * self.gain + self.bias
        return F.layer_norm(z, (self.d_model,), self.gain, self.bias, self.eps)


class FeedForward(nn.Module):
    r"""The same two-layer network at every position: :math:`W_2^\top \phi(W_1^\top u + b_1) + b_2`.

    Parameters
    ----------
    d_model, d_ff
        The widths outside and inside.
    bias
        Whether :math:`b_1` and :math:`b_2` exist (the note's do not).
    dropout
        The probability of dropping an inner activation during training.
    activation
        :math:`\phi`: ``"relu"`` or ``"gelu"``.
    generator
        The source of the initial weights.

    Raises
    ------
    ValueError
        If the activation is unknown.

    Source: N5, S11, T5, K17; S17 for dropout
    """

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        *,
        bias: bool = True,
        dropout: float = 0.0,
        activation: str = "relu",
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation {activation!r} is not one of {', '.join(map(repr, ACTIVATIONS))}")
        self.activation = ACTIVATIONS[activation]
        self.up = projection(d_model, d_ff, bias=bias, generator=generator)
        self.down = projection(d_ff, d_model, bias=bias, generator=generator)
        self.dropout = nn.Dropout(dropout)

    def forward(self, u: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """The network's output at every position."""
        return self.down(self.dropout(self.activation(self.up(u))))


class TransformerBlock(nn.Module):
    r"""Attention, then the position-wise network, each around a residual line with a normalization.

    Post-norm (the note, Vaswani et al. 2017) normalizes the sums; pre-norm (GPT-2) normalizes what enters the
    branches and leaves the residual line alone:

    .. math::
        \text{post:}\quad u &= \mathrm{LN}_1(x + \mathrm{MHA}(x)), & z &= \mathrm{LN}_2(u + \mathrm{FF}(u)) \\
        \text{pre:}\quad  u &= x + \mathrm{MHA}(\mathrm{LN}_1(x)), & z &= u + \mathrm{FF}(\mathrm{LN}_2(u))

    The note's block exactly is ``norm="post", activation="relu", bias=False, scalar_norm=True, eps=0``.

    Parameters
    ----------
    d_model, n_heads, d_head
        As in :class:`MultiHeadAttention`.
    d_ff
        The width inside the position-wise network; by default ``4 * d_model``.
    norm
        ``"post"`` or ``"pre"``.
    activation
        ``"relu"`` or ``"gelu"``.
    bias
        Whether the linear maps have biases.
    dropout
        One probability for the four places of the slides: the attention weights, the output of attention, the
        inner activations, the output of the network.
    scalar_norm, eps
        ``scalar`` and ``eps`` of the two :class:`LayerNorm`.
    generator
        The source of the initial weights.

    Raises
    ------
    ValueError
        If ``norm`` or ``activation`` is unknown, or ``n_heads`` does not divide ``d_model`` and ``d_head`` is
        not given.

    Source: N1-N6, S7-S12, T6-T7; S15-S18 for dropout
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int | None = None,
        *,
        d_head: int | None = None,
        norm: str = "post",
        activation: str = "relu",
        bias: bool = False,
        dropout: float = 0.0,
        scalar_norm: bool = False,
        eps: float = 1e-5,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        if norm not in ("post", "pre"):
            raise ValueError(f"norm {norm!r} is not one of 'post', 'pre'")
        self.norm = norm
        shared = {"bias": bias, "dropout": dropout, "generator": generator}
        self.attention = MultiHeadAttention(d_model, n_heads, d_head=d_head, **shared)
        self.attention_norm = LayerNorm(d_model, eps=eps, scalar=scalar_norm)
        self.feed_forward = FeedForward(d_model, d_ff or 4 * d_model, activation=activation, **shared)
        self.feed_forward_norm = LayerNorm(d_model, eps=eps, scalar=scalar_norm)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, x: Float[Tensor, "batch time d_model"], mask: Mask | None = None
    ) -> Float[Tensor, "batch time d_model"]:
        """The block's output :math:`z` for its input :math:`x`."""
        if self.norm == "post":
            u = self.attention_norm(x + self.dropout(self.attention(x, mask=mask)))
            return self.feed_forward_norm(u + self.dropout(self.feed_forward(u)))
        u = x + self.dropout(self.attention(self.attention_norm(x), mask=mask))
        return u + self.dropout(self.feed_forward(self.feed_forward_norm(u)))
