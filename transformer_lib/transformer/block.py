"""The layers of a Transformer block, and the block: normalization, the position-wise network, residual lines.

Chapter 10 builds the block from these; chapter 12 studies the places where it drops out activations.
"""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.activations import ACTIVATIONS
from transformer_lib.checks import check_choice, check_positive, check_probability
from transformer_lib.initialization import projection
from transformer_lib.transformer.attention import MultiHeadAttention
from transformer_lib.transformer.cache import InputMemory, KeysValues, KeyValueCache
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.norms import normalization
from transformer_lib.transformer.positions import Positions

__all__ = [
    "NORMS",
    "FeedForward",
    "GatedFeedForward",
    "TransformerBlock",
]

NORMS = ("pre", "post")


class FeedForward(nn.Module):
    r"""The same two-layer network at every position: :math:`W_2^\top \phi(W_1^\top u + b_1) + b_2`.

    Parameters
    ----------
    bias
        Whether :math:`b_1` and :math:`b_2` exist (the note's do not).
    dropout
        The probability of dropping an inner activation during training.
    activation
        :math:`\phi`, by its name in :data:`~transformer_lib.activations.ACTIVATIONS`, such as ``"relu"``,
        ``"gelu"``, ``"silu"``, or ``"gelu-tanh"``, GPT-2's approximation of ``"gelu"``:
        :math:`\tfrac{a}{2} (1 + \tanh(\sqrt{2 / \pi} (a + 0.044715 a^3)))`. Any other name is a
        ``ValueError``, as is a width below 1.
    std, join_std, generator
        The deviations of the initial ``up`` and ``down``, by default 1 / sqrt(number of
        inputs), and their source.

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
        std: float | None = None,
        join_std: float | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_positive(d_model=d_model, d_ff=d_ff)
        check_choice("activation", activation, ACTIVATIONS)
        check_probability("dropout", dropout)
        self.activation = ACTIVATIONS[activation]
        self.up = projection(d_model, d_ff, bias=bias, std=std, generator=generator)
        self.down = projection(d_ff, d_model, bias=bias, std=join_std, generator=generator)
        self.dropout = nn.Dropout(dropout)

    def forward(self, u: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """The network's output at every position."""
        inner = self.activation(self.up(u))
        return self.down(self.dropout(inner) if self.training else inner)


class GatedFeedForward(FeedForward):
    r"""A position-wise network with the inner layer :math:`\phi(W_g^\top u + b_g) \odot (W_1^\top u + b_1)`.

    With ``activation="silu"`` this is SwiGLU. At two thirds of the width it has as many parameters as without
    the gate. The arguments are those of :class:`FeedForward`.

    Source: Shazeer (2020), equation (6)
    """

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        *,
        bias: bool = True,
        std: float | None = None,
        generator: torch.Generator | None = None,
        **options: Any,
    ) -> None:
        super().__init__(d_model, d_ff, bias=bias, std=std, generator=generator, **options)
        self.gate = projection(d_model, d_ff, bias=bias, std=std, generator=generator)

    def forward(self, u: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """The network's output at every position."""
        inner = self.activation(self.gate(u)) * self.up(u)
        return self.down(self.dropout(inner) if self.training else inner)


class TransformerBlock(nn.Module):
    r"""Attention, then the position-wise network, each around a residual line with a normalization.

    Post-norm (the note, Vaswani et al. 2017) normalizes the sums; pre-norm (GPT-2) normalizes what enters the
    branches and leaves the residual line alone:

    .. math::
        \text{post:}\quad u &= \mathrm{LN}_1(x + \mathrm{MHA}(x)), & z &= \mathrm{LN}_2(u + \mathrm{FF}(u)) \\
        \text{pre:}\quad  u &= x + \mathrm{MHA}(\mathrm{LN}_1(x)), & z &= u + \mathrm{FF}(\mathrm{LN}_2(u))

    With ``cross_attention`` a branch of the same kind, attending to a memory, stands between the two. With
    ``macaron`` another position-wise network stands before attention, and each of the two counts half.

    With ``attention_only`` the block is :math:`z = \mathrm{MHA}(x)`, after which cross-attention, if there is
    any, asks the memory: there are no residual lines, no normalizations and no position-wise network.

    The note's block exactly is ``norm="post", activation="relu", bias=False, scalar_norm=True, eps=0``;
    Stratos' is ``norm="post", activation="relu", bias=True, attention_bias=False, eps=1e-3,
    eps_on="deviation"``.

    Llama's is ``norm="pre", norm_kind="rms", activation="silu", gated=True``, with rotary positions.

    A :class:`~transformer_lib.transformer.config.TransformerConfig` has other defaults: pre-norm and GELU.

    Parameters
    ----------
    n_kv_heads
        The heads of keys and values, as for :class:`MultiHeadAttention`.
    d_ff
        The width inside the position-wise network; by default ``4 * d_model``.
    norm, norm_kind
        ``"post"`` or ``"pre"``, and ``"layer"`` or ``"rms"``: where the block normalizes, and by a
        :class:`LayerNorm` or an :class:`RMSNorm`. Anything else is a ``ValueError``.
    activation, gated
        The nonlinearity of the position-wise network, and whether that is a :class:`GatedFeedForward`.
    bias, attention_bias
        Whether the linear maps have biases; by default attention has them if the others do.
    dropout, attention_dropout, activation_dropout
        The probabilities of dropping, in training, a branch's output, an attention weight and an inner
        activation of the network; by default all are ``dropout``.
    scalar_norm, eps, eps_on
        Those of every normalization; an RMSNorm has ``eps`` alone.
    attention_only
        Whether the block is attention alone; with ``macaron`` or a ``d_ff``, which it has no use for, a
        ``ValueError``.
    positions, attention
        A scheme for attention of the sequence to itself, or a module that takes its place and is called as
        :class:`MultiHeadAttention` is.
    std, join_std, generator
        The deviations of the initial weights, the latter where a branch joins the residual line, by default
        1 / sqrt(number of inputs); and their source.

    Source: N1, N2, N3, N4, N5, N6, S7, S8, S9, S10, S11, S12, T6, T7, K2, K3, K4, K6, K7, K8, K9, K10; S15,
    S16, S17, S18 for dropout; G5, G6, G7 for ``attention_only``; Lu et al. (2019) for ``macaron``
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int | None = None,
        *,
        n_kv_heads: int | None = None,
        d_head: int | None = None,
        norm: str = "post",
        norm_kind: str = "layer",
        activation: str = "relu",
        gated: bool = False,
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
        attention_only: bool = False,
        positions: Positions | None = None,
        attention: nn.Module | None = None,
        std: float | None = None,
        join_std: float | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_choice("norm", norm, NORMS)
        check_probability("dropout", dropout)
        if attention_only and (macaron or d_ff is not None):
            raise ValueError("attention_only=True leaves out the position-wise network: no macaron, no d_ff")
        self.norm, self.attention_only, self.share = norm, attention_only, 0.5 if macaron else 1.0
        drawn: dict[str, Any] = {"std": std, "join_std": join_std, "generator": generator}

        def norm_layer() -> Any:
            options: dict[str, Any] = {"eps": eps, "scalar": scalar_norm, "eps_on": eps_on}
            return None if attention_only else normalization(norm_kind, d_model, **options)

        def multi_head(positions: Positions | None) -> MultiHeadAttention:
            has_bias = bias if attention_bias is None else attention_bias
            rate = dropout if attention_dropout is None else attention_dropout
            heads: dict[str, Any] = {"n_kv_heads": n_kv_heads, "d_head": d_head, "positions": positions}
            return MultiHeadAttention(d_model, n_heads, **heads, bias=has_bias, dropout=rate, **drawn)

        def feed_forward() -> Any:
            if attention_only:
                return None
            rate = dropout if activation_dropout is None else activation_dropout
            inner = 4 * d_model if d_ff is None else d_ff
            network = GatedFeedForward if gated else FeedForward
            return network(d_model, inner, bias=bias, dropout=rate, activation=activation, **drawn)

        self.first_feed_forward: Any = feed_forward() if macaron else None
        self.first_feed_forward_norm: Any = norm_layer() if macaron else None
        self.attention: Any = multi_head(positions) if attention is None else attention
        self.attention_norm = norm_layer()
        self.cross_attention: Any = multi_head(None) if cross_attention else None
        self.cross_attention_norm: Any = norm_layer() if cross_attention else None
        self.feed_forward, self.feed_forward_norm = feed_forward(), norm_layer()
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        x: Float[Tensor, "batch time d_model"],
        mask: Mask | None = None,
        *,
        memory: Float[Tensor, "sources keys d_model"] | KeysValues | None = None,
        memory_mask: Mask | None = None,
        cache: KeyValueCache | None = None,
        past: InputMemory | None = None,
    ) -> Float[Tensor, "batch time d_model"]:
        """The block's output :math:`z` for its input :math:`x`.

        Parameters
        ----------
        mask, memory_mask
            What may attend to what: within ``x`` and what was read before it, and in the memory.
        memory
            What cross-attention attends to, and nothing without it: sequences, or what ``keys_values`` made
            of them. Several rows of ``x`` may share one, the first rows the first, equally many each.
        cache, past
            What was read before, to which ``x`` is added: keys and values, or inputs of the block.
        """
        if (memory is None) != (self.cross_attention is None):
            raise ValueError("a memory is needed with cross_attention=True, and only then")
        drop = self.dropout if self.training else _keep
        if self.attention_only:
            context = None if past is None else past.append(x)
            x = drop(self.attention(x, context, mask, cache=cache))
            return x if memory is None else drop(self._recall(x, memory, memory_mask))
        if self.norm == "pre":
            if self.first_feed_forward is not None:
                x = x.add(drop(self.first_feed_forward(self.first_feed_forward_norm(x))), alpha=self.share)
            context = None if past is None else self.attention_norm(past.append(x))
            x = x + drop(self.attention(self.attention_norm(x), context, mask, cache=cache))
            if memory is not None:
                x = x + drop(self._recall(self.cross_attention_norm(x), memory, memory_mask))
            return x.add(drop(self.feed_forward(self.feed_forward_norm(x))), alpha=self.share)
        if self.first_feed_forward is not None:
            x = self.first_feed_forward_norm(x.add(drop(self.first_feed_forward(x)), alpha=self.share))
        context = None if past is None else past.append(x)
        x = self.attention_norm(x + drop(self.attention(x, context, mask, cache=cache)))
        if memory is not None:
            x = self.cross_attention_norm(x + drop(self._recall(x, memory, memory_mask)))
        update = drop(self.feed_forward(x))
        return self.feed_forward_norm(x.add(update, alpha=self.share))

    def _recall(self, x: Tensor, memory: Any, mask: Mask | None) -> Tensor:
        sources = len(memory.key if isinstance(memory, KeysValues) else memory)
        if len(x) == sources:
            return self.cross_attention(x, memory, mask)
        if sources == 0 or len(x) % sources:
            raise ValueError(f"{len(x)} sequences cannot be shared out among {sources} memories")
        together = x.reshape(sources, -1, x.shape[-1])
        return self.cross_attention(together, memory, mask).reshape(x.shape)


def _keep(y: Tensor) -> Tensor:
    return y
