"""The shape of a Transformer, which checks itself when it is made, and the shapes that have names.

A model built from a configuration has no shape left to get wrong.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import torch

from transformer_lib.activations import ACTIVATIONS
from transformer_lib.checks import (
    ConfigValues,
    check_above_zero,
    check_choice,
    check_divides,
    check_flag,
    check_number,
    check_probability,
    check_token,
    check_whole,
)
from transformer_lib.transformer.block import EPSILON_PLACES, NORM_KINDS, BlockOptions, TransformerBlock
from transformer_lib.transformer.block_variants import BLOCKS, AttentionOnlyBlock
from transformer_lib.transformer.position_hooks import LearnedPositions, Positions
from transformer_lib.transformer.positions import (
    AlibiPositions,
    GehringPositions,
    JointPositions,
    OneHotPositions,
    RelativePositions,
    RelativeValuesPositions,
    RotaryPositions,
    SinusoidalPositions,
)

__all__ = ["PLACES", "POSITIONS", "PRESETS", "Scheme", "TransformerConfig"]

NORMS = ("pre", "post")
MOST_LAYERS = 1_000
NEARBY = 10_000
BESIDES_ATTENTION = (
    *("d_ff", "norm", "norm_kind", "norm_eps", "norm_eps_on"),
    *("activation", "gated", "activation_dropout", "macaron"),
)
STRATOS = {
    "norm": "post",
    "activation": "relu",
    "bias": True,
    "attention_bias": False,
    "attention_dropout": 0.0,
    "activation_dropout": 0.0,
    "norm_eps": 1e-3,
    "norm_eps_on": "deviation",
    "positions": "sinusoidal",
    "context_length": 512,
}

PLACES = ("input", "query and key", "scores", "scores and values")
"""Where a scheme acts: on what enters the first block, or within every block's attention."""


@dataclass(frozen=True)
class Scheme:
    """One row of :data:`POSITIONS`: one of :data:`PLACES`, else a ``ValueError``, and what makes the module.

    It is made from a :class:`~transformer_lib.transformer.config.TransformerConfig` and the source of initial
    weights.
    """

    acts_on: str
    build: Callable[[Any, torch.Generator | None], Positions]

    def __post_init__(self) -> None:
        check_choice("acts_on", self.acts_on, PLACES)


POSITIONS = {
    "none": Scheme("input", lambda c, g: Positions()),
    "one-hot": Scheme("input", lambda c, g: OneHotPositions(c.context_length, c.d_model, generator=g)),
    "joint": Scheme("input", lambda c, g: JointPositions(c.context_length, c.d_model, generator=g)),
    "gehring": Scheme("input", lambda c, g: GehringPositions(c.context_length, c.d_model, generator=g)),
    "sinusoidal": Scheme("input", lambda c, g: SinusoidalPositions(c.context_length, c.d_model)),
    "learned": Scheme("input", lambda c, g: LearnedPositions(c.context_length, c.d_model, generator=g)),
    "relative": Scheme(
        "scores", lambda c, g: RelativePositions(c.n_heads, c.head_width, c.context_length, generator=g)
    ),
    "relative-values": Scheme(
        "scores and values",
        lambda c, g: RelativeValuesPositions(c.n_heads, c.head_width, c.context_length, generator=g),
    ),
    "rotary": Scheme(
        "query and key", lambda c, g: RotaryPositions(c.context_length, c.head_width, c.rotary_base)
    ),
    "alibi": Scheme("scores", lambda c, g: AlibiPositions(c.n_heads)),
}
"""All schemes by name: where each acts, and how it is built."""

PRESETS: dict[str, dict[str, Any]] = {
    "tiny": {"context_length": 128, "d_model": 128, "n_heads": 4, "n_layers": 2},
    "small": {"context_length": 128, "d_model": 128, "n_heads": 4, "n_layers": 4},
    "medium": {"context_length": 256, "d_model": 384, "n_heads": 6, "n_layers": 6},
    "gpt2-124m": {
        "vocab_size": 50257,
        "context_length": 1024,
        "d_model": 768,
        "n_heads": 12,
        "n_layers": 12,
        "activation": "gelu-tanh",
        "bias": True,
    },
    "llama-7b": {
        "vocab_size": 32000,
        "context_length": 2048,
        "d_model": 4096,
        "n_heads": 32,
        "n_layers": 32,
        "d_ff": 11008,
        "norm_kind": "rms",
        "norm_eps": 1e-6,
        "activation": "silu",
        "gated": True,
        "positions": "rotary",
        "tie_embeddings": False,
    },
    "base": STRATOS | {"d_model": 512, "n_heads": 8, "n_layers": 6, "dropout": 0.1},
    "big": STRATOS | {"d_model": 1024, "n_heads": 16, "n_layers": 6, "dropout": 0.3},
}
"""Named shapes: 0.4, 0.8 and 10.6 million parameters besides the embeddings, GPT-2's smallest, the smallest
Llama of Touvron et al. (2023), and the two of Vaswani et al. (2017) as Stratos writes them.

As an encoder-decoder with a shared vocabulary of 37,000, ``base`` has 63,045,632 parameters and ``big``
214,171,648. The 65 and 213 million of the paper fit no single vocabulary: an embedding row costs ``d_model``
parameters, and 65 million at base would be 40,817 rows, 213 million at big 35,856."""


@dataclass(frozen=True)
class TransformerConfig(ConfigValues):
    """The shape of a Transformer.

    Parameters
    ----------
    vocab_size
        The number of different tokens.
    context_length
        The longest sequence the model reads.
    d_model, n_heads, n_layers
        The width, the heads of a block, and the blocks (of each stack, where there are two).
    n_kv_heads
        The heads of keys and values, of which each serves ``n_heads / n_kv_heads`` heads; by default
        ``n_heads``. A cache holds no others.
    d_ff
        The width inside the position-wise networks; by default ``4 * d_model``.
    d_head
        The width of a head; by default ``d_model / n_heads``.
    dropout
        The probability of dropping an embedding's feature, or an output of a branch: at least 0, below 1.
    attention_dropout, activation_dropout, feature_dropout
        The same for an attention weight, for an inner activation, and for an embedding's feature alone; by
        default ``dropout``. The last is the slides' embedding dropout.
    input_dropout, embedding_dropout
        The probability of hiding a word where it stands, and wherever it stands; see
        :func:`~transformer_lib.dropout.embed_with_dropout`.
    norm
        ``"pre"`` or ``"post"``: where blocks normalize.
    norm_kind
        ``"layer"`` or ``"rms"``: by :class:`~transformer_lib.transformer.block.LayerNorm` or
        :class:`~transformer_lib.transformer.block.RMSNorm`.
    norm_eps, norm_eps_on
        ``eps`` of every normalization, and ``eps_on`` of every LayerNorm.
    activation
        A name in :data:`~transformer_lib.activations.ACTIVATIONS`, such as ``"gelu"``, ``"relu"``,
        ``"gelu-tanh"``, which is GPT-2's, or ``"silu"``.
    gated
        Whether each position-wise network is a :class:`~transformer_lib.transformer.block.GatedFeedForward`,
        which with ``activation="silu"`` is SwiGLU. Two thirds of ``d_ff`` keep the number of parameters.
    bias, attention_bias
        Whether linear maps have biases; those of attention, by default, as the others.
    macaron
        Whether each block has two position-wise networks that count half.
    attention_only
        Whether each block is attention alone, without residual lines, normalization and position-wise
        network. A fully connected layer and the softmax follow: the head has a matrix of its own, which
        ``tie_embeddings=False`` says, and a bias if the other linear maps have. Garcia's notes have ``bias``,
        and no ``attention_bias``.
    positions
        The scheme of positions, one of :data:`~transformer_lib.transformer.config.POSITIONS`.
    rotary_base
        The ``base`` of :class:`~transformer_lib.transformer.positions.RotaryPositions`: the larger,
        the slower features turn.
    tie_embeddings
        Whether the head's matrix is the token embedding.
    scale_embeddings
        Whether token embeddings are multiplied by the root of ``d_model``, as in Vaswani et al. (2017).
    source_vocab_size
        The vocabulary of an encoder-decoder's source; ``None`` if both sides share one, and its embedding.
    start_token
        The token that stands before the first.

    Raises
    ------
    ValueError
        If a value is out of its range, saying what would be right.
    """

    vocab_size: int
    context_length: int
    d_model: int = 128
    n_heads: int = 4
    n_layers: int = 4
    d_ff: int | None = None
    d_head: int | None = None
    dropout: float = 0.0
    norm: str = "pre"
    activation: str = "gelu"
    bias: bool = False
    tie_embeddings: bool = True
    start_token: int = 0
    attention_bias: bool | None = None
    attention_dropout: float | None = None
    activation_dropout: float | None = None
    input_dropout: float = 0.0
    embedding_dropout: float = 0.0
    norm_eps: float = 1e-5
    norm_eps_on: str = "variance"
    macaron: bool = False
    positions: str = "learned"
    scale_embeddings: bool = False
    source_vocab_size: int | None = None
    attention_only: bool = False
    n_kv_heads: int | None = None
    norm_kind: str = "layer"
    gated: bool = False
    rotary_base: float = 10000.0
    feature_dropout: float | None = None

    def __post_init__(self) -> None:
        sizes = ("vocab_size", "context_length", "d_model", "n_heads")
        self._check(check_whole, *sizes, "n_kv_heads", "d_ff", "d_head", "source_vocab_size", least=1)
        self._check(check_whole, "n_layers", least=1, most=MOST_LAYERS)
        if self.d_head is None and self.d_model % self.n_heads:
            raise ValueError(_divisibility_advice(self.d_model, self.n_heads))
        if self.n_kv_heads is not None:
            check_divides("n_kv_heads", self.n_kv_heads, "n_heads", self.n_heads)
        self._check(
            check_probability,
            "dropout",
            "attention_dropout",
            "activation_dropout",
            "feature_dropout",
            "input_dropout",
            "embedding_dropout",
        )
        self._check(check_number, "norm_eps", least=0, most=1)
        self._check(check_choice, "norm", choices=NORMS)
        self._check(check_choice, "norm_kind", choices=NORM_KINDS)
        self._check(check_choice, "norm_eps_on", choices=EPSILON_PLACES)
        if self.norm_kind == "rms" and self.norm_eps_on == "deviation":
            raise ValueError("norm_kind='rms' has no deviation: norm_eps_on must be 'variance'")
        self._check(check_choice, "activation", choices=ACTIVATIONS)
        self._check(check_choice, "positions", choices=POSITIONS)
        if self.positions == "rotary" and self.head_width % 2:
            raise ValueError(
                f"rotary positions turn pairs of features: a head's width must be even, got {self.head_width}"
            )
        self._check(check_above_zero, "rotary_base")
        if self.positions != "rotary" and self.rotary_base != 10000:
            raise ValueError(f"rotary_base acts on positions='rotary' alone, got {self.positions!r}")
        flags = ("bias", "tie_embeddings", "macaron", "scale_embeddings", "attention_bias", "attention_only")
        self._check(check_flag, *flags, "gated")
        if self.attention_only:
            self._check_attention_only()
        check_token("start_token", self.start_token, self.vocab_size)

    def _check_attention_only(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in BESIDES_ATTENTION and value != field.default:
                raise ValueError(
                    f"attention_only=True leaves nothing for {field.name}={value!r} to act on: leave it out"
                )
        if self.tie_embeddings:
            raise ValueError(
                "attention_only=True ends in a fully connected layer of its own: give tie_embeddings=False"
            )

    @property
    def block_options(self) -> BlockOptions:
        """What the layers of each block are."""
        shared = [field.name for field in fields(BlockOptions) if hasattr(self, field.name)]
        values = {name: getattr(self, name) for name in shared}
        return BlockOptions(**values, eps=self.norm_eps, eps_on=self.norm_eps_on)

    def block(self, **more: Any) -> TransformerBlock:
        """A block of this shape; ``more`` are its positions, its initial weights and what it attends to."""
        if self.attention_only:
            return AttentionOnlyBlock(self.d_model, self.n_heads, self.block_options, **more)
        kind = BLOCKS[self.norm, self.macaron]
        return kind(self.d_model, self.n_heads, self.d_ff, self.block_options, **more)

    @property
    def head_width(self) -> int:
        """The width of a head: ``d_head``, or ``d_model / n_heads``."""
        return self.d_model // self.n_heads if self.d_head is None else self.d_head

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> "TransformerConfig":
        """The shape called ``name`` in :data:`PRESETS`, with some values replaced.

        All but ``gpt2-124m`` and ``llama-7b`` need a ``vocab_size``, which is the tokenizer's.

        Raises
        ------
        ValueError
            If the name is unknown, or as :meth:`~transformer_lib.checks.ConfigValues.from_dict`.
        """
        check_choice("preset", name, PRESETS)
        return cls.from_dict(PRESETS[name] | overrides)


def _divisibility_advice(d_model: int, n_heads: int) -> str:
    below = d_model - d_model % n_heads
    widths = [str(width) for width in (below, below + n_heads) if width > 0]
    fewer = range(min(n_heads - 1, d_model), 0, -1)[:NEARBY]
    more = range(n_heads + 1, d_model + 1)[:NEARBY]
    counts = [str(n) for near in (fewer, more) if (n := next((h for h in near if d_model % h == 0), 0))]
    advice = f", or n_heads={' or '.join(counts)}" if counts else ""
    return (
        f"d_model={d_model} is not a multiple of n_heads={n_heads}: take d_model={' or '.join(widths)}"
        f"{advice}, or give d_head"
    )
