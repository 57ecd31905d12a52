"""The decoder-only Transformer: a language model, and with a memory the decoder of a translator.

Chapter 11 teaches the language model, chapter 14 the cache that lets it read each token once.
"""

import copy
import functools
import math
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.checks import check_inputs, check_reading
from transformer_lib.initialization import embedding, projection
from transformer_lib.interfaces import SequenceModel
from transformer_lib.transformer.cache import DecoderState, KeysValues, KeyValueCache
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.positions import Positions
from transformer_lib.transformer.stack import TransformerStack, embed

__all__ = ["DecoderLM"]

GPT2_STD = 0.02


class DecoderLM(SequenceModel):
    r"""A decoder-only Transformer: :math:`p(x_{t+1} \mid x_{\le t}) = \mathrm{softmax}(W_z^\top z_t)`.

    Token embeddings pass through a causal :class:`~transformer_lib.transformer.stack.TransformerStack`; a
    linear head, by default the transposed token embedding, gives the logits. Weights start as GPT-2's: normal
    with deviation 0.02, divided by :math:`\sqrt{2 L}` where a branch joins the residual line. Linear maps
    within a scheme of positions start with variance 1 / (number of inputs), so that tokens come through them.
    With ``attention_only`` all weights do, and embeddings start with variance 1 / ``d_model``.

    Parameters
    ----------
    config
        The shape.
    cross_attention
        Whether every block also attends to a memory: then this is the decoder of an :class:`EncoderDecoder`,
        and its weights start as the encoder's.
    positions, mask
        Positions of the inputs, in place of the configuration's scheme, and what attends to what.
    generator
        The source of the initial weights.

    Source: N9, N12a, S5, S6, K5, K6, K7, K8, K9, K10, K11; Radford et al. (2019) for pre-norm and
    initialization
    """

    context_length: int

    def __init__(
        self,
        config: TransformerConfig,
        *,
        cross_attention: bool = False,
        positions: Positions | None = None,
        mask: Mask | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.config, self.mask = config, Mask.causal() if mask is None else mask
        self.is_of_config = positions is None and mask is None
        self.vocab_size, self.context_length = config.vocab_size, config.context_length
        self.start_token = config.start_token
        std = None if cross_attention or config.attention_only else GPT2_STD
        self.token_embedding = embedding(
            config.vocab_size, config.d_model, std=std or config.d_model**-0.5, generator=generator
        )
        self.stack = TransformerStack(
            config,
            cross_attention=cross_attention,
            positions=positions,
            std=std,
            join_std=None if std is None else std / math.sqrt(2 * config.n_layers),
            generator=generator,
        )
        self.head: nn.Linear | None = None
        if not config.tie_embeddings:
            bias = config.attention_only and config.bias
            self.head = projection(config.d_model, config.vocab_size, bias=bias, std=std, generator=generator)

    def logits(
        self,
        tokens: Int[Tensor, "batch time"],
        memory: Float[Tensor, "sources source_time d_model"] | None = None,
        memory_mask: Mask | None = None,
    ) -> Float[Tensor, "batch time vocab"]:
        """Unnormalized log-probabilities; those at ``[:, t]`` predict the token after ``tokens[:, t]``.

        With ``cross_attention``, they also depend on a memory, of which the mask hides padding. More tokens
        than ``context_length``, a token in CPU memory that is outside the vocabulary, and a memory of another
        number of rows are a ``ValueError``.

        Source: N9, K11
        """
        check_inputs(tokens, self.vocab_size, self.context_length)
        if memory is not None:
            _check_sources(memory, len(tokens))
        return self.predict(self._run(tokens, memory=memory, memory_mask=memory_mask))

    def features(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time d_model"]:
        r"""What the head reads, :math:`z_t`: :meth:`logits` without a memory are :meth:`predict` of them.

        Raises
        ------
        ValueError
            As :meth:`logits`.

        Source: N9
        """
        check_inputs(tokens, self.vocab_size, self.context_length)
        return self._run(tokens)

    @property
    def word_vectors(self) -> Float[Tensor, "vocab d_model"]:
        """The head's matrix, a row for each token: the token embedding, unless the head has its own."""
        return self.token_embedding.weight if self.head is None else self.head.weight

    def init_state(
        self,
        batch_size: int,
        memory: Float[Tensor, "batch source_time d_model"] | None = None,
        source_lengths: Int[Tensor, "batch"] | None = None,
    ) -> DecoderState:
        """The state in which nothing has been read; the memory needs ``batch_size`` rows.

        It has room for the keys and values of ``context_length`` positions in each row.
        """
        read = torch.empty(batch_size, 0, dtype=torch.long, device=self.token_embedding.weight.device)
        state = DecoderState(read, self._new_caches(batch_size))
        if memory is not None:
            _check_sources(memory, batch_size)
            state.memory = self.stack.keys_values(memory)
            state.source_lengths = None if source_lengths is None else source_lengths.to(read.device)
            state.sources = torch.arange(batch_size, device=read.device)
        return state

    @torch.no_grad()
    def read(
        self, tokens: Int[Tensor, "batch time"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        """Read several tokens in one pass, with the keys and values of those before them from the cache.

        Beyond ``context_length`` the latest ``context_length`` tokens are read again, their positions counted
        from 0, as :meth:`~transformer_lib.interfaces.SequenceModel.conditional_log_probs` scores them.
        A state may be continued more than once; the caches belong to the last continuation, so the others
        read their tokens again. No gradient comes back through a state: training uses :meth:`logits`. No
        token, one outside the vocabulary, or another number of rows than the state's is a ``ValueError``.
        """
        check_reading(tokens, self.vocab_size, len(state.tokens))
        latest = torch.cat([state.tokens, tokens], dim=1)[:, -self.context_length :]
        read = state.tokens.shape[1]
        caches = state.caches if read + tokens.shape[1] <= self.context_length else None
        if caches and caches[0].version != state.version:
            caches, read = self._new_caches(len(tokens)), 0
        inputs, start = (tokens, read) if caches and read else (latest, 0)
        attended = {"memory": state.memory, "memory_mask": state.memory_mask, "caches": caches}
        z = self._run(inputs, start=start, **attended)
        version = caches[0].version if caches else 0
        return self.predict(z[:, -1]), replace(state, tokens=latest, caches=caches, version=version)

    def step(
        self, token: Int[Tensor, "batch"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        """Read one more token."""
        return self.read(token[:, None], state)

    def compiled(self) -> SequenceModel:
        """The same model, with the same weights, whose :meth:`step` runs code that ``torch.compile`` writes.

        One piece of code serves all positions, any number of rows above one, and all weights of a shape and
        type; another one is compiled at the first step that needs it. PyTorch stops after eight in a
        process: further models then step as without. So do the first two steps, the one that fills the
        context, and those beyond it.

        On a processor a step of a single row reads a copy of the weights, which takes as much memory again
        and is made when it is first needed: a model whose weights, type or device change has to be compiled
        again.
        """
        return _Compiled(self)

    def _new_caches(self, batch_size: int) -> list[KeyValueCache]:
        return self.stack.new_caches(batch_size, self.context_length)

    def _run(self, tokens: Tensor, **options: Any) -> Float[Tensor, "batch time d_model"]:
        x = embed(self.config, self.token_embedding, tokens.long(), self.training)
        return self.stack(x, self.mask, **options)

    def predict(self, z: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        r"""The head: :math:`W_z^\top z`.

        Source: N9
        """
        if self.head is None:
            return nn.functional.linear(z, self.token_embedding.weight)
        return self.head(z)


class _Compiled(SequenceModel):
    """A decoder whose steps run compiled code wherever they add one position to its caches."""

    def __init__(self, decoder: DecoderLM) -> None:
        super().__init__()
        self.decoder = decoder
        self.vocab_size, self.context_length = decoder.vocab_size, decoder.context_length
        self.start_token, self.training = decoder.start_token, decoder.training

    @functools.cached_property
    def _for_a_row(self) -> DecoderLM:
        """The decoder with weights that lie in memory input by input.

        The product of a single row with such a weight takes as little as half the time on a processor.
        """
        decoder = copy.deepcopy(self.decoder)
        for module in decoder.modules():
            if isinstance(module, nn.Linear) and module.weight.dtype == torch.float32:
                module.weight.data = module.weight.data.t().contiguous().t()
        return decoder

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        return self.decoder.logits(tokens)

    def init_state(self, batch_size: int) -> DecoderState:
        return self.decoder.init_state(batch_size)

    def read(
        self, tokens: Int[Tensor, "batch time"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        return self.decoder.read(tokens, state)

    @torch.no_grad()
    def step(
        self, token: Int[Tensor, "batch"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        read, caches = state.tokens.shape[1], state.caches
        # Code for any position would be compiled once more for the numbers 0 and 1, and for a cache that
        # becomes full: few steps, which are left to the decoder.
        is_any_position = 2 <= read < self.decoder.context_length - 1 and len(token) > 0
        if caches is None or caches[0].version != state.version or not is_any_position:
            return self.decoder.step(token, state)
        tokens = token[:, None]
        check_reading(tokens, self.vocab_size, len(state.tokens))
        memories = [KeysValues(cache.key, cache.value) for cache in caches]
        device, is_a_row = token.device.type, len(token) == 1 and not self.decoder.training
        decoder = self._for_a_row if is_a_row and device == "cpu" else self.decoder
        logits = _compiled_logits(device)(decoder, tokens, memories, read)
        for cache in caches:
            cache.length, cache.version = read + 1, cache.version + 1
        latest = torch.cat([state.tokens, tokens], dim=1)
        return logits, replace(state, tokens=latest, version=caches[0].version)


@functools.cache
def _compiled_logits(device: str) -> Callable[..., Tensor]:
    """:func:`_next_logits`, compiled once for models of one shape, whatever the position."""
    # Calls from C++ take less time than from Python. On Windows nobody has tried them, and for a GPU they
    # need its compiler.
    in_cpp = device == "cpu" and sys.platform != "win32"
    return torch.compile(_next_logits, dynamic=True, options={"cpp_wrapper": in_cpp})


def _next_logits(
    decoder: DecoderLM, tokens: Int[Tensor, "batch 1"], memories: list[KeysValues], read: int
) -> Float[Tensor, "batch vocab"]:
    """The logits after the tokens, whose keys and values are written behind those of the ``read`` before."""
    caches = [KeyValueCache.over(memory, read) for memory in memories]
    return decoder.predict(decoder._run(tokens, start=read, caches=caches)[:, -1])


def _check_sources(memory: Tensor, n_targets: int) -> None:
    if len(memory) != n_targets:
        raise ValueError(f"there are {len(memory)} sources; {n_targets} targets do not fit them")
