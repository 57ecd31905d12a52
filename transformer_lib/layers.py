"""The layers of a Transformer block, and the block: normalization, the position-wise network, residual lines.

Chapter 10 builds the block from these; chapter 12 studies the places where it drops out activations.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.attention import MultiHeadAttention
from transformer_lib.cache import KeysValues, KeyValueCache
from transformer_lib.linear import projection
from transformer_lib.masks import Mask
from transformer_lib.positions import Positions

__all__ = ["ACTIVATIONS", "EPSILON_PLACES", "FeedForward", "LayerNorm", "TransformerBlock"]

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu}
EPSILON_PLACES = ("variance", "deviation")


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
    eps_on
        ``"variance"``, or ``"deviation"`` to divide by :math:`\sigma_z + \epsilon`, as Stratos does with
        :math:`\epsilon = 0.001`.

    Raises
    ------
    ValueError
        If ``eps_on`` is neither.

    Source: N7, N8, S13; scalar: N4, N6; deviation: K16
    """

    def __init__(
        self, d_model: int, *, eps: float = 1e-5, scalar: bool = False, eps_on: str = "variance"
    ) -> None:
        super().__init__()
        if eps_on not in EPSILON_PLACES:
            raise ValueError(f"eps_on {eps_on!r} is not one of {', '.join(map(repr, EPSILON_PLACES))}")
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
        If a width is below 1 or the activation is unknown.

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
        inner = self.activation(self.up(u))
        return self.down(self.dropout(inner) if self.training else inner)


class TransformerBlock(nn.Module):
    r"""Attention, then the position-wise network, each around a residual line with a normalization.

    Post-norm (the note, Vaswani et al. 2017) normalizes the sums; pre-norm (GPT-2) normalizes what enters the
    branches and leaves the residual line alone:

    .. math::
        \text{post:}\quad u &= \mathrm{LN}_1(x + \mathrm{MHA}(x)), & z &= \mathrm{LN}_2(u + \mathrm{FF}(u)) \\
        \text{pre:}\quad  u &= x + \mathrm{MHA}(\mathrm{LN}_1(x)), & z &= u + \mathrm{FF}(\mathrm{LN}_2(u))

    With ``cross_attention`` a branch of the same kind, attending to a memory, stands between the two. With
    ``macaron`` one more position-wise network stands before attention, and each of the two counts half.

    The note's block exactly is ``norm="post", activation="relu", bias=False, scalar_norm=True, eps=0``;
    Stratos' is ``norm="post", activation="relu", bias=True, attention_bias=False, eps=1e-3,
    eps_on="deviation"``.

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
    bias, attention_bias
        Whether the linear maps have biases; those of attention, by default, as the others.
    dropout
        The probability of dropping, in training, an output of a branch.
    attention_dropout, activation_dropout
        The same for an attention weight and for an inner activation of the network; by default ``dropout``.
    scalar_norm, eps, eps_on
        ``scalar``, ``eps`` and ``eps_on`` of every :class:`LayerNorm`.
    cross_attention, macaron
        The further branches.
    positions
        A scheme for attention of the sequence to itself.
    generator
        The source of the initial weights.

    Raises
    ------
    ValueError
        If a size is below 1, ``norm`` or ``activation`` is unknown, or ``n_heads`` does not divide
        ``d_model`` and ``d_head`` is not given.

    Source: N1, N2, N3, N4, N5, N6, S7, S8, S9, S10, S11, S12, T6, T7, K2, K3, K4, K6, K7, K8, K9, K10; S15,
    S16, S17, S18 for dropout; Lu et al. (2019) for ``macaron``
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
        attention_bias: bool | None = None,
        dropout: float = 0.0,
        attention_dropout: float | None = None,
        activation_dropout: float | None = None,
        scalar_norm: bool = False,
        eps: float = 1e-5,
        eps_on: str = "variance",
        cross_attention: bool = False,
        macaron: bool = False,
        positions: Positions | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        if norm not in ("post", "pre"):
            raise ValueError(f"norm {norm!r} is not one of 'post', 'pre'")
        d_ff = 4 * d_model if d_ff is None else d_ff
        if d_ff < 1:
            raise ValueError(f"d_ff must be at least 1; got {d_ff}")
        self.norm, self.feed_forward_share = norm, 0.5 if macaron else 1.0

        def layer_norm() -> LayerNorm:
            return LayerNorm(d_model, eps=eps, scalar=scalar_norm, eps_on=eps_on)

        def attention(positions: Positions | None) -> MultiHeadAttention:
            return MultiHeadAttention(
                d_model,
                n_heads,
                d_head=d_head,
                bias=bias if attention_bias is None else attention_bias,
                dropout=dropout if attention_dropout is None else attention_dropout,
                positions=positions,
                generator=generator,
            )

        def feed_forward() -> FeedForward:
            inner = dropout if activation_dropout is None else activation_dropout
            return FeedForward(
                d_model, d_ff, bias=bias, dropout=inner, activation=activation, generator=generator
            )

        self.first_feed_forward = feed_forward() if macaron else None
        self.first_feed_forward_norm = layer_norm() if macaron else None
        self.attention, self.attention_norm = attention(positions), layer_norm()
        self.cross_attention = attention(None) if cross_attention else None
        self.cross_attention_norm = layer_norm() if cross_attention else None
        self.feed_forward, self.feed_forward_norm = feed_forward(), layer_norm()
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        x: Float[Tensor, "batch time d_model"],
        mask: Mask | None = None,
        *,
        memory: Float[Tensor, "sources keys d_model"] | KeysValues | None = None,
        memory_mask: Mask | None = None,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch time d_model"]:
        """The block's output :math:`z` for its input :math:`x`.

        Parameters
        ----------
        mask
            What may attend to what within ``x``, and in the cache.
        memory, memory_mask
            What cross-attention attends to: sequences, or what its ``keys_values`` made of them. Several rows
            of ``x`` may share one, the first rows the first.
        cache
            Keys and values of the positions before ``x``, to which those of ``x`` are added.

        Raises
        ------
        ValueError
            If there is cross-attention without a memory, or a memory without cross-attention, or if ``x`` has
            not the same number of rows for each of the memory's.
        """
        if (memory is None) != (self.cross_attention is None):
            raise ValueError("a memory is needed with cross_attention=True, and only then")
        half = self.feed_forward_share
        if self.first_feed_forward is not None:
            x = self._add(x, self.first_feed_forward, self.first_feed_forward_norm, half)
        x = self._add(x, lambda y: self.attention(y, mask=mask, cache=cache), self.attention_norm)
        if self.cross_attention is not None:
            x = self._add(x, lambda y: self._recall(y, memory, memory_mask), self.cross_attention_norm)
        return self._add(x, self.feed_forward, self.feed_forward_norm, half)

    def _add(
        self, x: Tensor, branch: Callable[[Tensor], Tensor], norm: LayerNorm, share: float = 1.0
    ) -> Tensor:
        y = branch(norm(x) if self.norm == "pre" else x)
        if self.training:
            y = self.dropout(y)
        x = x + (y if share == 1.0 else share * y)
        return norm(x) if self.norm == "post" else x

    def _recall(self, x: Tensor, memory: Tensor | KeysValues, mask: Mask | None) -> Tensor:
        sources = len(memory.key if isinstance(memory, KeysValues) else memory)
        if len(x) == sources:
            return self.cross_attention(x, memory, mask)
        if sources == 0 or len(x) % sources:
            raise ValueError(f"{len(x)} sequences cannot be shared out among {sources} memories")
        together = x.reshape(sources, -1, x.shape[-1])
        return self.cross_attention(together, memory, mask).reshape(x.shape)
