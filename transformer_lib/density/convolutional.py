r"""A causal convolutional network: each layer looks twice as far back as the one below it.

Where padding makes one conditional serve all positions, a convolution shares its work between them as well:
all :math:`T` conditionals come from one pass (chapter 3). After WaveNet (van den Oord et al. 2016):
convolutions that reach only into the past, with dilations 1, 2, 4, ..., gated units, residual and skip
connections. The history is finite, :attr:`CausalConvLM.receptive_field` tokens, though sequences may be of
any length. Sampling keeps each layer's latest inputs, so that every token costs the same.
"""

from dataclasses import dataclass
from typing import cast

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.checks import ConfigValues, check_inputs, check_reading, check_token, check_whole
from transformer_lib.initialization import embedding, projection, uninitialized
from transformer_lib.interfaces import SequenceModel

__all__ = ["CausalConvLM", "ConvConfig", "ConvState", "GatedConvBlock", "InputBuffer"]


@dataclass(frozen=True)
class ConvConfig(ConfigValues):
    r"""The shape of a causal convolutional language model.

    Parameters
    ----------
    vocab_size
        The number of different tokens.
    d_model
        The width of every layer.
    n_stacks, stack_depth
        How many stacks of layers there are, and how many layers to a stack: in each the dilations are
        1, 2, 4, ..., ``2 ** (stack_depth - 1)``.
    kernel_size
        How many inputs a layer reads, its own position included; at least 2.
    start_token
        The token that stands before the first.

    Raises
    ------
    ValueError
        If a value is out of its range, saying what would be right.
    """

    vocab_size: int
    d_model: int = 64
    n_stacks: int = 1
    stack_depth: int = 6
    kernel_size: int = 2
    start_token: int = 0

    def __post_init__(self) -> None:
        self._check(check_whole, "vocab_size", "d_model", "n_stacks", "stack_depth", least=1)
        self._check(check_whole, "kernel_size", least=2)
        check_token("start_token", self.start_token, self.vocab_size)

    @property
    def dilations(self) -> tuple[int, ...]:
        """How far apart a layer's inputs are, layer by layer."""
        return tuple(2**depth for depth in range(self.stack_depth)) * self.n_stacks


class GatedConvBlock(nn.Module):
    r"""One layer: a gated causal convolution, then a map of width 1 that feeds both the line and the output.

    .. math::
        a = \tanh(W_f * x) \odot \sigma(W_g * x), \qquad s = V a, \qquad x' = x + s,

    where :math:`(W * x)_t = \sum_{i=0}^{k-1} W_i\, x_{t - i \delta}` with the dilation :math:`\delta`. Zeros
    stand before the first input.

    Attributes
    ----------
    gated : nn.Conv1d
        :math:`W_f` above :math:`W_g`; the last entry of its kernel reads the present.
    mix : nn.Linear
        :math:`V`.

    Source: van den Oord et al. (2016), equation (2) and figure 4
    """

    def __init__(
        self, d_model: int, kernel_size: int, dilation: int, *, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.kernel_size, self.dilation = kernel_size, dilation
        self.gated = uninitialized(
            nn.Conv1d, d_model, 2 * d_model, kernel_size, dilation=dilation, bias=False
        )
        nn.init.normal_(self.gated.weight, std=(kernel_size * d_model) ** -0.5, generator=generator)
        self.mix = projection(d_model, d_model, bias=False, generator=generator)

    @property
    def reach(self) -> int:
        """How many inputs before the present one the layer depends on."""
        return self.dilation * (self.kernel_size - 1)

    def forward(
        self, x: Float[Tensor, "batch time d_model"], past: Float[Tensor, "batch reach d_model"] | None = None
    ) -> Float[Tensor, "batch time d_model"]:
        """:math:`s` at every time; ``past`` holds the inputs just before ``x``, by default zeros."""
        if x.shape[1] == 0:
            return x
        in_front = (0, 0, self.reach, 0)
        padded = F.pad(x, in_front) if past is None else torch.cat([past, x], dim=1)
        return self._output(self.gated(padded.mT).mT)

    def step(self, taps: Float[Tensor, "batch kernel d_model"]) -> Float[Tensor, "batch d_model"]:
        """:math:`s` at one time from the inputs that the kernel reads there, oldest first."""
        return self._output(torch.einsum("bki,oik->bo", taps, self.gated.weight))

    def _output(self, gated: Float[Tensor, "*batch two_d"]) -> Float[Tensor, "*batch d_model"]:
        content, gate = gated.chunk(2, dim=-1)
        return self.mix(content.tanh() * gate.sigmoid())


class InputBuffer:
    """A layer's latest inputs, each written once, with room for as many again.

    States share a buffer: what one of them has read is never written over by another.

    Attributes
    ----------
    inputs : Tensor
        Of shape (batch, 2 * reach, d_model); at first, the past fills one half.
    length : int
        How many of them are written.
    """

    def __init__(self, past: Float[Tensor, "batch reach d_model"]) -> None:
        self.inputs = torch.cat([past, torch.empty_like(past)], dim=1)
        self.length = past.shape[1]


@dataclass
class ConvState:
    """What a prediction depends on: of each layer's buffer, the ``reach`` inputs before an end."""

    buffers: list[InputBuffer]
    ends: list[int]

    @classmethod
    def after(cls, pasts: list[Float[Tensor, "batch _ d_model"]]) -> "ConvState":
        """The state in which these were each layer's latest inputs, as many as it reaches back."""
        return cls([InputBuffer(past) for past in pasts], [past.shape[1] for past in pasts])

    @property
    def pasts(self) -> list[Float[Tensor, "batch _ d_model"]]:
        """Each layer's latest inputs."""
        return [
            buffer.inputs[:, end - buffer.inputs.shape[1] // 2 : end]
            for buffer, end in zip(self.buffers, self.ends)
        ]

    def select(self, rows: Int[Tensor, "selected"]) -> "ConvState":
        """The state of these rows of the batch, copied."""
        return ConvState.after([past.index_select(0, rows) for past in self.pasts])


class CausalConvLM(SequenceModel):
    r"""A stack of gated causal convolutions: :math:`p(x_{t+1} \mid x_{t-r+1}, \dots, x_t)` for all t at once.

    Each layer adds its output to the line that the next one reads; the sum of all outputs passes through two
    maps of width 1, each after a rectifier, which give the logits. Weights start normal with variance 1 /
    (number of inputs).

    Parameters
    ----------
    config
        The shape.
    generator
        The source of the initial weights.

    Source: van den Oord et al. (2016), section 2; Le Paine et al. (2016) for sampling
    """

    def __init__(self, config: ConvConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.vocab_size, self.start_token = config.vocab_size, config.start_token
        d_model = config.d_model
        self.token_embedding = embedding(config.vocab_size, d_model, std=1.0, generator=generator)
        blocks = [
            GatedConvBlock(d_model, config.kernel_size, dilation, generator=generator)
            for dilation in config.dilations
        ]
        self.blocks = cast(list[GatedConvBlock], nn.ModuleList(blocks))
        self.hidden = projection(d_model, d_model, bias=False, generator=generator)
        self.head = projection(d_model, config.vocab_size, bias=False, generator=generator)

    @property
    def receptive_field(self) -> int:
        r"""How many of the latest tokens a prediction depends on, :math:`1 + (k-1) \sum_\ell \delta_\ell`."""
        return 1 + sum(block.reach for block in self.blocks)

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """Unnormalized log-probabilities; those at ``[:, t]`` predict the token after ``tokens[:, t]``.

        Raises
        ------
        ValueError
            For tokens in CPU memory, where looking is free, if one is outside the vocabulary.
        """
        x = self._embed(tokens)
        total = torch.zeros_like(x)
        for block in self.blocks:
            output = block(x)
            total, x = total + output, x + output
        return self._predict(total)

    def init_state(self, batch_size: int) -> ConvState:
        """The state in which nothing has been read: zeros."""
        shapes = [(batch_size, block.reach, self.config.d_model) for block in self.blocks]
        return ConvState.after([self.head.weight.new_zeros(shape) for shape in shapes])

    @torch.no_grad()
    def step(
        self, token: Int[Tensor, "batch"], state: ConvState
    ) -> tuple[Float[Tensor, "batch vocab"], ConvState]:
        """Read one more token, at a cost that does not depend on how many were read before.

        A layer's input is added to its buffer. The inputs that still count are copied to a new buffer only
        when that one is full or another state has already added to it. No gradient comes back through a
        state; training uses :meth:`logits`.

        Raises
        ------
        ValueError
            If there are not as many tokens as rows in the state, or one is outside the vocabulary.
        """
        x = self._embed_next(token[:, None], state)[:, 0]
        total, after = torch.zeros_like(x), ConvState([], [])
        for block, buffer, end in zip(self.blocks, state.buffers, state.ends):
            if end < buffer.length or end == buffer.inputs.shape[1]:
                buffer, end = InputBuffer(buffer.inputs[:, end - block.reach : end]), block.reach
            buffer.inputs[:, end] = x
            buffer.length = end + 1
            output = block.step(buffer.inputs[:, end - block.reach : end + 1 : block.dilation])
            after.buffers.append(buffer)
            after.ends.append(end + 1)
            total, x = total + output, x + output
        return self._predict(total), after

    @torch.no_grad()
    def read(
        self, tokens: Int[Tensor, "batch time"], state: ConvState
    ) -> tuple[Float[Tensor, "batch vocab"], ConvState]:
        """Read several tokens in one pass.

        Raises
        ------
        ValueError
            As :meth:`step`, or if there is no token.
        """
        x = self._embed_next(tokens, state)
        total, pasts = torch.zeros_like(x), []
        for block, past in zip(self.blocks, state.pasts):
            pasts.append(torch.cat([past, x], dim=1)[:, -block.reach :])
            output = block(x, past)
            total, x = total + output, x + output
        return self._predict(total[:, -1]), ConvState.after(pasts)

    def _embed(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time d_model"]:
        check_inputs(tokens, self.vocab_size)
        return self.token_embedding(tokens.long())

    def _embed_next(self, tokens: Tensor, state: ConvState) -> Float[Tensor, "batch time d_model"]:
        check_reading(tokens, self.vocab_size, len(state.buffers[0].inputs))
        return self.token_embedding(tokens.long())

    def _predict(self, total: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        return self.head(self.hidden(total.relu()).relu())
