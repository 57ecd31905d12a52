"""Whole Transformers: their configuration, and the decoder-only language model.

A configuration checks itself when it is made, so that a model built from one has no shape left to get wrong.
Chapter 11 teaches the language model.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from difflib import get_close_matches
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.attention import uninitialized
from transformer_lib.autoregressive import SequenceModel, check_tokens
from transformer_lib.layers import ACTIVATIONS, LayerNorm, TransformerBlock
from transformer_lib.masks import Mask

__all__ = ["PRESETS", "DecoderLM", "TransformerConfig"]

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
        "bias": True,
    },
}
"""Named shapes: 0.4, 0.8 and 10.6 million parameters besides the embeddings, and GPT-2's smallest."""


@dataclass(frozen=True)
class TransformerConfig:
    """The shape of a Transformer language model.

    Parameters
    ----------
    vocab_size
        The number of different tokens.
    context_length
        The longest sequence the model reads.
    d_model, n_heads, n_layers
        The width, the heads of a block, and the blocks.
    d_ff
        The width inside the position-wise networks; by default ``4 * d_model``.
    d_head
        The width of a head; by default ``d_model / n_heads``.
    dropout
        The probability of dropping an activation, at least 0 and below 1.
    norm
        ``"pre"`` or ``"post"``: where blocks normalize.
    activation
        ``"gelu"`` or ``"relu"``.
    bias
        Whether linear maps have biases.
    tie_embeddings
        Whether the head's matrix is the token embedding.
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

    def __post_init__(self) -> None:
        for name in ("vocab_size", "context_length", "d_model", "n_heads", "n_layers", "d_ff", "d_head"):
            value = getattr(self, name)
            if not (_is_int(value) and value > 0) and not (value is None and name in ("d_ff", "d_head")):
                raise ValueError(f"{name} must be a positive whole number, got {value!r}")
        if self.d_head is None and self.d_model % self.n_heads:
            raise ValueError(_divisibility_advice(self.d_model, self.n_heads))
        if not _is_number(self.dropout) or not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be a number with 0 <= dropout < 1, got {self.dropout!r}")
        _check_choice("norm", self.norm, ("pre", "post"))
        _check_choice("activation", self.activation, ACTIVATIONS)
        for name in ("bias", "tie_embeddings"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be True or False, got {getattr(self, name)!r}")
        if not _is_int(self.start_token) or not 0 <= self.start_token < self.vocab_size:
            raise ValueError(
                f"start_token must be a token, a whole number from 0 to {self.vocab_size - 1}, "
                f"got {self.start_token!r}"
            )

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> "TransformerConfig":
        """The shape called ``name`` in :data:`PRESETS`, with some values replaced.

        All but ``gpt2-124m`` need a ``vocab_size``, which is the tokenizer's.

        Raises
        ------
        ValueError
            If the name is unknown, or as :meth:`from_dict`.
        """
        _check_choice("preset", name, PRESETS)
        return cls.from_dict(PRESETS[name] | overrides)

    def to_dict(self) -> dict[str, Any]:
        """All values by name, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "TransformerConfig":
        """The configuration with these values; names left out take their defaults.

        Raises
        ------
        ValueError
            If a name is unknown or a value without a default is missing, naming it, or if a value is wrong.
        """
        known = [field.name for field in fields(cls)]
        for name in values:
            _check_choice("configuration value", name, known)
        missing = [f.name for f in fields(cls) if f.default is MISSING and f.name not in values]
        if missing:
            raise ValueError(f"the configuration lacks {' and '.join(missing)}")
        return cls(**values)


class DecoderLM(SequenceModel):
    r"""A decoder-only Transformer: :math:`p(x_{t+1} \mid x_{\le t}) = \mathrm{softmax}(W_z^\top z_t)`.

    Token and learned position embeddings are added, pass through causal blocks and, with pre-norm, a last
    normalization; a linear head, by default the transposed token embedding, gives the logits. Weights start
    as GPT-2's: normal with deviation 0.02, divided by :math:`\sqrt{2 L}` where a branch joins the residual
    line.

    Parameters
    ----------
    config
        The shape.
    generator
        The source of the initial weights.

    Source: N9, N12a, S5, S6; Radford et al. (2019) for pre-norm and initialization
    """

    def __init__(self, config: TransformerConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.vocab_size, self.context_length = config.vocab_size, config.context_length
        self.start_token = config.start_token
        self.token_embedding = uninitialized(nn.Embedding, config.vocab_size, config.d_model)
        self.position_embedding = uninitialized(nn.Embedding, config.context_length, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            TransformerBlock(
                config.d_model,
                config.n_heads,
                config.d_ff,
                d_head=config.d_head,
                norm=config.norm,
                activation=config.activation,
                bias=config.bias,
                dropout=config.dropout,
                generator=generator,
            )
            for _ in range(config.n_layers)
        )
        self.final_norm = LayerNorm(config.d_model) if config.norm == "pre" else nn.Identity()
        self.head = None
        if not config.tie_embeddings:
            self.head = uninitialized(nn.Linear, config.d_model, config.vocab_size, bias=False)
        self._initialize(generator)

    def _initialize(self, generator: torch.Generator | None) -> None:
        joins = ("attention.output.weight", "feed_forward.down.weight")
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                shrink = math.sqrt(2 * self.config.n_layers) if name.endswith(joins) else 1.0
                nn.init.normal_(parameter, std=0.02 / shrink, generator=generator)

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """Unnormalized log-probabilities; those at ``[:, t]`` predict the token after ``tokens[:, t]``.

        Raises
        ------
        ValueError
            If there are more tokens than ``context_length`` or, for tokens in CPU memory, where looking is
            free, if one is outside the vocabulary.

        Source: N9, K11
        """
        time = tokens.shape[-1]
        if time > self.context_length:
            raise ValueError(
                f"{time} tokens are more than the model's context_length of {self.context_length}"
            )
        if tokens.is_cpu and not torch.compiler.is_compiling():
            check_tokens(tokens, self.vocab_size)
        x = self.dropout(self.token_embedding(tokens.long()) + self.position_embedding.weight[:time])
        mask = Mask.causal()
        for block in self.blocks:
            x = block(x, mask)
        head = self.token_embedding if self.head is None else self.head
        return F.linear(self.final_norm(x), head.weight)

    def read(
        self, tokens: Int[Tensor, "batch time"], state: Int[Tensor, "batch read"]
    ) -> tuple[Float[Tensor, "batch vocab"], Int[Tensor, "batch kept"]]:
        """Read several tokens in one pass; the state is the latest ``context_length`` tokens read."""
        prefix = torch.cat([state, tokens], dim=1)[:, -self.context_length :]
        return self.logits(prefix)[:, -1], prefix

    def step(
        self, token: Int[Tensor, "batch"], state: Int[Tensor, "batch read"]
    ) -> tuple[Float[Tensor, "batch vocab"], Int[Tensor, "batch kept"]]:
        """Read one more token."""
        return self.read(token[:, None], state)

    def n_parameters(self) -> int:
        """The number of trainable numbers; what is shared counts once."""
        return sum(parameter.numel() for parameter in self.parameters())


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_choice(what: str, value: Any, choices: Iterable[str]) -> None:
    choices = tuple(choices)
    if value in choices:
        return
    close = get_close_matches(str(value), choices, n=1)
    guess = f"; did you mean {close[0]!r}?" if close else ""
    raise ValueError(f"{what} {value!r} is not one of {', '.join(map(repr, choices))}{guess}")


def _divisibility_advice(d_model: int, n_heads: int) -> str:
    below = d_model - d_model % n_heads
    widths = [str(width) for width in (below, below + n_heads) if width > 0]
    divisors = [heads for heads in range(1, d_model + 1) if d_model % heads == 0]
    counts = [str(max(h for h in divisors if h < n_heads))]
    counts += [str(h) for h in divisors if h > n_heads][:1]
    return (
        f"d_model={d_model} is not a multiple of n_heads={n_heads}: take d_model={' or '.join(widths)}, "
        f"or n_heads={' or '.join(counts)}, or give d_head"
    )
