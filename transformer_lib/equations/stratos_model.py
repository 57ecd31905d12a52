r"""The encoder-decoder as Stratos writes it, K1, K2, K3, K4, K5, K6, K7, K8, K9, K10, K11 (his section 1).

Chapters 8 and 13 call these functions live. Everything is float64 NumPy with his indices, counted from 0; the
layers are those of `stratos`, and his six layers are as many as are given.

**Drop** is an argument, a function of the sequence that is dropped from; left out, nothing is dropped.
The decoder is *not* masked: every step starts again from the whole prefix, in which each position attends to
all others, later ones included.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float64, Int

from .note import softmax
from .stratos import (
    AttentionParameters,
    FatReluParameters,
    NormParameters,
    fat_relu,
    layer_normalization,
    multi_head_attention,
)

__all__ = [
    "DecoderLayer",
    "EncoderLayer",
    "decoder_layer",
    "decoder_step",
    "embed",
    "encode",
    "encoder_layer",
    "next_word_distribution",
    "no_drop",
    "output_distribution",
    "residual_normalization",
]

Drop = Callable[[Float64[np.ndarray, "n d_model"]], Float64[np.ndarray, "n d_model"]]


class EncoderLayer(NamedTuple):
    """The parameters of an encoder's layer, in the order of its equations.

    Source: K2, K3, K4
    """

    attention: AttentionParameters
    attention_norm: NormParameters
    fat_relu: FatReluParameters
    fat_relu_norm: NormParameters


class DecoderLayer(NamedTuple):
    """The parameters of a decoder's layer, in the order of its equations.

    Source: K6, K7, K8, K9, K10
    """

    self_attention: AttentionParameters
    self_attention_norm: NormParameters
    cross_attention: AttentionParameters
    cross_attention_norm: NormParameters
    fat_relu: FatReluParameters
    fat_relu_norm: NormParameters


def no_drop(x: Float64[np.ndarray, "n d_model"]) -> Float64[np.ndarray, "n d_model"]:
    """**Drop** when the model is used rather than trained: the identity.

    Source: K1, K3, K4, K5, K7, K9, K10
    """
    return x


def embed(
    words: Int[np.ndarray, "n"],
    E: Float64[np.ndarray, "d_model vocab"],
    pi: Float64[np.ndarray, "positions d_model"],
    drop: Drop = no_drop,
) -> Float64[np.ndarray, "n d_model"]:
    r"""Each word's column of the lookup matrix, plus the encoding of its position.

    .. math::

        z_i^{(0)} = \mathbf{Drop}(E^I_{x_i} + \pi_i), \qquad o_i^{(0)} = \mathbf{Drop}(E^O_{y_i} + \pi_i)

    Row i of ``pi`` is :math:`\pi_i`; which encoding it is stays open. Nothing multiplies the embeddings;
    Vaswani et al. (2017) multiply them by :math:`\sqrt{d_\text{model}}`.

    Source: K1, K5
    """
    embedded = np.zeros((len(words), E.shape[0]))
    for i in range(len(words)):
        embedded[i] = E[:, words[i]] + pi[i]
    return drop(embedded)


def encoder_layer(
    z: Float64[np.ndarray, "n d_model"], layer: EncoderLayer, drop: Drop = no_drop
) -> Float64[np.ndarray, "n d_model"]:
    r"""From :math:`z^{(l)}` to :math:`z^{(l+1)}`.

    .. math::

        \tilde z_1 \dots \tilde z_n &= \text{Multi-Head-Attention}(z_1 \dots z_n,\; z_1 \dots z_n) \\
        \bar z_i &= \text{Layer-Normalization}(z_i + \mathbf{Drop}(\tilde z_i)) \\
        z_i^{(l+1)} &= \text{Layer-Normalization}(\bar z_i + \mathbf{Drop}(\text{Fat-ReLU}(\bar z_i)))

    Source: K2, K3, K4
    """
    z_tilde = multi_head_attention(z, z, *layer.attention)
    z_bar = residual_normalization(z, z_tilde, layer.attention_norm, drop)
    update = fat_relu(z_bar, *layer.fat_relu)
    return residual_normalization(z_bar, update, layer.fat_relu_norm, drop)


def encode(
    x: Int[np.ndarray, "n"],
    E_I: Float64[np.ndarray, "d_model vocab"],
    pi: Float64[np.ndarray, "positions d_model"],
    layers: Sequence[EncoderLayer],
    drop: Drop = no_drop,
) -> Float64[np.ndarray, "n d_model"]:
    r"""The encoder: :math:`z_1^{(6)} \dots z_n^{(6)}` of a sentence.

    Source: K1, K2, K3, K4
    """
    z = embed(x, E_I, pi, drop)
    for layer in layers:
        z = encoder_layer(z, layer, drop)
    return z


def decoder_layer(
    o: Float64[np.ndarray, "j d_model"],
    z: Float64[np.ndarray, "n d_model"],
    layer: DecoderLayer,
    drop: Drop = no_drop,
) -> Float64[np.ndarray, "j d_model"]:
    r"""From :math:`o^{(l)}` to :math:`o^{(l+1)}`, given the encoder's last layer z.

    .. math::

        \tilde o_1 \dots \tilde o_j &= \text{Multi-Head-Attention}(o_1 \dots o_j,\; o_1 \dots o_j) \\
        \bar o_i &= \text{Layer-Normalization}(o_i + \mathbf{Drop}(\tilde o_i)) \\
        \underline{o}_1 \dots \underline{o}_j
        &= \text{Multi-Head-Attention}(\bar o_1 \dots \bar o_j,\; z_1^{(6)} \dots z_n^{(6)}) \\
        \hat o_i &= \text{Layer-Normalization}(\bar o_i + \mathbf{Drop}(\underline{o}_i)) \\
        o_i^{(l+1)} &= \text{Layer-Normalization}(\hat o_i + \mathbf{Drop}(\text{Fat-ReLU}(\hat o_i)))

    The self-attention of the first line has no mask: :math:`o_i` attends to all of :math:`o_1 \dots o_j`.

    Source: K6, K7, K8, K9, K10
    """
    o_tilde = multi_head_attention(o, o, *layer.self_attention)
    o_bar = residual_normalization(o, o_tilde, layer.self_attention_norm, drop)
    o_under = multi_head_attention(o_bar, z, *layer.cross_attention)
    norm = layer.cross_attention_norm
    o_hat = residual_normalization(o_bar, o_under, norm, drop)
    update = fat_relu(o_hat, *layer.fat_relu)
    return residual_normalization(o_hat, update, layer.fat_relu_norm, drop)


def decoder_step(
    prefix: Int[np.ndarray, "j"],
    z: Float64[np.ndarray, "n d_model"],
    E_O: Float64[np.ndarray, "d_model vocab"],
    pi: Float64[np.ndarray, "positions d_model"],
    layers: Sequence[DecoderLayer],
    drop: Drop = no_drop,
) -> Float64[np.ndarray, "j d_model"]:
    r"""One step of generation: the whole prefix through all layers, :math:`o_1^{(6)} \dots o_j^{(6)}`.

    The prefix begins with the word that stands for BOS. Stratos reserves a vector :math:`y_0` for it, and
    then lists the representations from 1 on, which leaves the first step without any; here BOS is
    a word of the vocabulary, with a column of :math:`E^O`, at the first position.

    Source: K5, K6, K7, K8, K9, K10
    """
    o = embed(prefix, E_O, pi, drop)
    for layer in layers:
        o = decoder_layer(o, z, layer, drop)
    return o


def output_distribution(
    o_j: Float64[np.ndarray, "d_model"], E_O: Float64[np.ndarray, "d_model vocab"]
) -> Float64[np.ndarray, "vocab"]:
    r"""Probabilities of the next word, from the last representation, by the decoder's own lookup matrix.

    .. math::

        p(y_{j+1} = y \mid x_1 \dots x_n,\, y_1 \dots y_j) = \mathrm{softmax}_y\big((E^O)^\top o_j^{(6)}\big)

    Source: K11
    """
    return softmax(E_O.T @ o_j)


def next_word_distribution(
    prefix: Int[np.ndarray, "j"],
    z: Float64[np.ndarray, "n d_model"],
    E_O: Float64[np.ndarray, "d_model vocab"],
    pi: Float64[np.ndarray, "positions d_model"],
    layers: Sequence[DecoderLayer],
) -> Float64[np.ndarray, "vocab"]:
    """The decoder without dropout: a step for the prefix, and the distribution at its last position.

    Source: K5, K6, K7, K8, K9, K10, K11
    """
    return output_distribution(decoder_step(prefix, z, E_O, pi, layers)[-1], E_O)


def residual_normalization(
    x: Float64[np.ndarray, "n d_model"],
    update: Float64[np.ndarray, "n d_model"],
    norm: NormParameters,
    drop: Drop = no_drop,
) -> Float64[np.ndarray, "n d_model"]:
    r"""Every residual line of the model, :math:`\text{Layer-Normalization}(x_i + \mathbf{Drop}(\tilde x_i))`.

    Source: K3, K4, K7, K9, K10
    """
    total = x + drop(update)
    return np.array([layer_normalization(total_i, *norm) for total_i in total])
