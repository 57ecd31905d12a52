"""The block and its layers: normalization, the position-wise network, and the residual lines around them.

Chapter 10 builds the block from these; chapter 12 studies the places where it drops out activations.
"""

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.activations import ACTIVATIONS
from transformer_lib.checks import check_choice, check_positive, check_probability
from transformer_lib.initialization import projection
from transformer_lib.transformer.attention import CrossAttention, MultiHeadAttention
from transformer_lib.transformer.cache import InputMemory, KeysValues, KeyValueCache
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.position_hooks import Positions

__all__ = [
    "EPSILON_PLACES",
    "NORM_KINDS",
    "BlockOptions",
    "FeedForward",
    "GatedFeedForward",
    "LayerNorm",
    "PostNormBlock",
    "RMSNorm",
    "TransformerBlock",
]

EPSILON_PLACES = ("variance", "deviation")
NORM_KINDS = ("layer", "rms")


class LayerNorm(nn.Module):
    r"""Each position by itself: :math:`\gamma (z - \mu_z) / \sqrt{\sigma_z^2 + \epsilon} + \beta`.

    :math:`\mu_z` and :math:`\sigma_z^2` are the mean and the population variance of the position's features.
    With ``eps=0`` this is the note's definition, which has no value where all features are equal.

    Parameters
    ----------
    scalar
        One :math:`\gamma` and one :math:`\beta` for all features, as in the note's block, instead of vectors.
    eps_on
        ``"variance"``, or ``"deviation"`` to divide by :math:`\sigma_z + \epsilon`, as Stratos does with
        :math:`\epsilon = 0.001`; anything else is a ``ValueError``.

    Source: N7, N8, S13; scalar: N4, N6; deviation: K16
    """

    def __init__(
        self, d_model: int, *, eps: float = 1e-5, scalar: bool = False, eps_on: str = "variance"
    ) -> None:
        super().__init__()
        check_choice("eps_on", eps_on, EPSILON_PLACES)
        self.d_model, self.eps, self.scalar, self.eps_on = d_model, eps, scalar, eps_on
        shape = () if scalar else (d_model,)
        self.gain = nn.Parameter(torch.ones(shape))
        self.bias = nn.Parameter(torch.zeros(shape))

    def forward(self, z: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """The normalized features, position by position."""
        if self.eps_on == "deviation":
            if z.numel() == 0:  # of no numbers std_mean would warn
                return z
            # (*batch, 1) each
            deviation, mean = torch.std_mean(z, dim=-1, correction=0, keepdim=True)
            return self.gain * ((z - mean) / (deviation + self.eps)) + self.bias
        if self.scalar:
            return F.layer_norm(z, (self.d_model,), eps=self.eps) * self.gain + self.bias
        return F.layer_norm(z, (self.d_model,), self.gain, self.bias, self.eps)


class RMSNorm(nn.Module):
    r"""Each position by itself: :math:`\gamma z / \sqrt{\tfrac{1}{d} \sum_i z_i^2 + \epsilon}`.

    No mean is subtracted, and no bias added. With ``eps=0`` this is the paper's definition, which has no
    value where all features are 0.

    Source: Zhang and Sennrich (2019), equation (4)
    """

    def __init__(self, d_model: int, *, eps: float = 1e-5) -> None:
        super().__init__()
        self.d_model, self.eps = d_model, eps
        self.gain = nn.Parameter(torch.ones(d_model))

    def forward(self, z: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """The normalized features, position by position."""
        return F.rms_norm(z, (self.d_model,), self.gain, self.eps)


class FeedForward(nn.Module):
    r"""The same two-layer network at every position: :math:`W_2^\top \phi(W_1^\top u + b_1) + b_2`.

    Parameters
    ----------
    bias
        Whether :math:`b_1` and :math:`b_2` exist (the note's do not).
    dropout, output_dropout
        The probabilities of dropping an inner activation, and an output, during training.
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
        output_dropout: float = 0.0,
        activation: str = "relu",
        std: float | None = None,
        join_std: float | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_positive(d_model=d_model, d_ff=d_ff)
        check_choice("activation", activation, ACTIVATIONS)
        check_probability("dropout", dropout)
        check_probability("output_dropout", output_dropout)
        self.activation = ACTIVATIONS[activation]
        self.up = projection(d_model, d_ff, bias=bias, std=std, generator=generator)
        self.down = projection(d_ff, d_model, bias=bias, std=join_std, generator=generator)
        self.dropout, self.output_dropout = nn.Dropout(dropout), output_dropout

    def forward(self, u: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """The network's output at every position."""
        inner = self.activation(self.up(u))  # (*batch, d_ff)
        y = self.down(self.dropout(inner))  # (*batch, d_model)
        return F.dropout(y, self.output_dropout, self.training)


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
        inner = self.activation(self.gate(u)) * self.up(u)  # (*batch, d_ff)
        y = self.down(self.dropout(inner))  # (*batch, d_model)
        return F.dropout(y, self.output_dropout, self.training)


@dataclass(frozen=True)
class BlockOptions:
    """What the layers of a block are, besides their sizes.

    The note's block exactly is a :class:`PostNormBlock` with ``scalar_norm=True, eps=0``; Stratos' is one
    with ``bias=True, attention_bias=False, eps=1e-3, eps_on="deviation"``. Llama's is a
    :class:`TransformerBlock` with ``norm_kind="rms", activation="silu", gated=True`` and rotary positions.
    A :class:`~transformer_lib.transformer.config.TransformerConfig` has other defaults: GELU.

    Parameters
    ----------
    n_kv_heads, d_head
        The heads of keys and values, and the width of a head, as for
        :class:`~transformer_lib.transformer.attention.MultiHeadAttention`.
    norm_kind
        ``"layer"`` or ``"rms"``: by a :class:`LayerNorm` or an :class:`RMSNorm`.
    eps, eps_on, scalar_norm
        Those of every normalization; an RMSNorm has ``eps`` alone.
    activation, gated
        The nonlinearity of the position-wise network, and whether that is a :class:`GatedFeedForward`.
    bias, attention_bias
        Whether the linear maps have biases; by default attention has them if the others do.
    dropout, attention_dropout, activation_dropout
        The probabilities of dropping, in training, a branch's output, an attention weight and an inner
        activation of the network; by default all are ``dropout``.

    Raises
    ------
    ValueError
        If a value is not one of these, or an RMSNorm is asked for what only a LayerNorm has.
    """

    n_kv_heads: int | None = None
    d_head: int | None = None
    norm_kind: str = "layer"
    eps: float = 1e-5
    eps_on: str = "variance"
    scalar_norm: bool = False
    activation: str = "relu"
    gated: bool = False
    bias: bool = False
    attention_bias: bool | None = None
    dropout: float = 0.0
    attention_dropout: float | None = None
    activation_dropout: float | None = None

    def __post_init__(self) -> None:
        check_choice("norm_kind", self.norm_kind, NORM_KINDS)
        check_probability("dropout", self.dropout)
        if self.norm_kind == "rms" and (self.scalar_norm or self.eps_on != "variance"):
            raise ValueError("an RMSNorm has a gain for each feature, and its eps below the root")

    def norm(self, d_model: int) -> "LayerNorm | RMSNorm":
        """A normalization."""
        if self.norm_kind == "rms":
            return RMSNorm(d_model, eps=self.eps)
        return LayerNorm(d_model, eps=self.eps, scalar=self.scalar_norm, eps_on=self.eps_on)

    def multi_head(
        self, kind: type[MultiHeadAttention], d_model: int, n_heads: int, **more: Any
    ) -> MultiHeadAttention:
        """Attention by ``n_heads`` heads; ``more`` are its positions and its initial weights."""
        bias = self.bias if self.attention_bias is None else self.attention_bias
        rate = self.dropout if self.attention_dropout is None else self.attention_dropout
        sizes: dict[str, Any] = {"n_kv_heads": self.n_kv_heads, "d_head": self.d_head}
        return kind(d_model, n_heads, **sizes, bias=bias, dropout=rate, output_dropout=self.dropout, **more)

    def network(self, d_model: int, d_ff: int | None, **start: Any) -> FeedForward:
        """The position-wise network, by default four times as wide inside as outside."""
        rate = self.dropout if self.activation_dropout is None else self.activation_dropout
        kind = GatedFeedForward if self.gated else FeedForward
        inner = 4 * d_model if d_ff is None else d_ff
        shape: dict[str, Any] = {"bias": self.bias, "activation": self.activation}
        return kind(d_model, inner, **shape, dropout=rate, output_dropout=self.dropout, **start)


DEFAULTS = BlockOptions()


class TransformerBlock(nn.Module):
    r"""Attention, then the position-wise network, each on a branch beside the residual line.

    Each branch normalizes what enters it and leaves the line alone: pre-norm, as in GPT-2.

    .. math:: u = x + \mathrm{MHA}(\mathrm{LN}_1(x)), \qquad z = u + \mathrm{FF}(\mathrm{LN}_2(u))

    With ``cross_attention`` a branch of the same kind, attending to a memory, stands between the two.
    :class:`PostNormBlock` is the form of the note and of Vaswani et al. (2017);
    :mod:`~transformer_lib.transformer.block_variants` has the Macaron block and attention alone.

    Parameters
    ----------
    d_ff
        The width inside the position-wise network; by default ``4 * d_model``.
    options
        What the layers are.
    positions, attention
        A scheme for attention of the sequence to itself, or a module that takes its place and is called as
        :class:`~transformer_lib.transformer.attention.MultiHeadAttention` is.
    std, join_std, generator
        The deviations of the initial weights, the latter where a branch joins the residual line, by default
        1 / sqrt(number of inputs); and their source.

    Source: N1, N2, N3, N5, S7, S8, S9, S11, K7, K8, K9, K10; Radford et al. (2019) for pre-norm; S15, S16,
    S17, S18 for dropout
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int | None = None,
        options: BlockOptions = DEFAULTS,
        *,
        cross_attention: bool = False,
        positions: Positions | None = None,
        attention: nn.Module | None = None,
        std: float | None = None,
        join_std: float | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        start: dict[str, Any] = {"std": std, "join_std": join_std, "generator": generator}
        if attention is None:
            attention = options.multi_head(MultiHeadAttention, d_model, n_heads, positions=positions, **start)
        self.attention: Any = attention
        self.attention_norm = options.norm(d_model)
        self.cross_attention: Any = None
        self.cross_attention_norm: Any = None
        if cross_attention:
            self.cross_attention = options.multi_head(CrossAttention, d_model, n_heads, **start)
            self.cross_attention_norm = options.norm(d_model)
        self.feed_forward = options.network(d_model, d_ff, **start)
        self.feed_forward_norm = options.norm(d_model)

    def forward(
        self,
        x: Float[Tensor, "*batch time d_model"],
        mask: Mask | None = None,
        *,
        memory: Float[Tensor, "*sources keys d_model"] | KeysValues | None = None,
        memory_mask: Mask | None = None,
        cache: KeyValueCache | InputMemory | None = None,
    ) -> Float[Tensor, "*batch time d_model"]:
        """The block's output :math:`z` for its input :math:`x`, which may be a sequence without a batch.

        Parameters
        ----------
        mask, memory_mask
            What may attend to what: within ``x`` and what was read before it, and in the memory.
        memory
            What cross-attention attends to: sequences, or what ``keys_values`` made of them.
        cache
            What was read before, to which ``x`` is added: keys and values, or for Transformer-XL inputs.
        """
        x = x + self.attention(self.attention_norm(x), mask=mask, cache=cache)
        if self.cross_attention is not None:
            x = x + self.cross_attention(self.cross_attention_norm(x), memory, memory_mask)
        return x + self.feed_forward(self.feed_forward_norm(x))


class PostNormBlock(TransformerBlock):
    r"""The block whose normalizations stand on the residual line, behind each sum.

    .. math:: u = \mathrm{LN}_1(x + \mathrm{MHA}(x)), \qquad z = \mathrm{LN}_2(u + \mathrm{FF}(u))

    Source: N1, N2, N3, N4, N5, N6, S7, S8, S9, S10, S11, S12, T6, T7, K2, K3, K4, K6, K7, K8, K9, K10; S15,
    S16, S17, S18 for dropout
    """

    def forward(
        self,
        x: Float[Tensor, "*batch time d_model"],
        mask: Mask | None = None,
        *,
        memory: Float[Tensor, "*sources keys d_model"] | KeysValues | None = None,
        memory_mask: Mask | None = None,
        cache: KeyValueCache | InputMemory | None = None,
    ) -> Float[Tensor, "*batch time d_model"]:
        """The block's output :math:`z`; the arguments are those of :class:`TransformerBlock`."""
        x = self.attention_norm(x + self.attention(x, mask=mask, cache=cache))
        if self.cross_attention is not None:
            x = self.cross_attention_norm(x + self.cross_attention(x, memory, memory_mask))
        return self.feed_forward_norm(x + self.feed_forward(x))
