"""Steps of a language model that run compiled code: worth its start for long or many samples (chapter 14)."""

import copy
import functools
import sys
from collections.abc import Callable
from dataclasses import replace

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.checks import check_reading
from transformer_lib.interfaces import SequenceModel
from transformer_lib.transformer.cache import DecoderState, KeysValues, KeyValueCache
from transformer_lib.transformer.language_model import DecoderLM

__all__ = ["with_compiled_step"]


def with_compiled_step(model: SequenceModel) -> SequenceModel:
    """The same model, with the same weights, whose ``step`` runs code that ``torch.compile`` writes.

    One piece of code serves all positions, any number of rows above one, and all weights of a shape and
    type; another one is compiled at the first step that needs it. PyTorch stops after eight in a
    process: further models then step as without. So do the first two steps, the one that fills the
    context, and those beyond it.

    On a processor a step of a single row reads a copy of the weights, which takes as much memory again
    and is made when it is first needed: a model whose weights, type or device change has to be compiled
    again.

    Raises
    ------
    ValueError
        If the model is no :class:`~transformer_lib.transformer.language_model.DecoderLM`.
    """
    if not isinstance(model, DecoderLM):
        raise ValueError(f"a {type(model).__name__} has no compiled step: leave compiled=True out")
    return _Compiled(model)


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
                module.weight.data = module.weight.data.t().contiguous().t()  # (outputs, inputs) as before
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
        tokens = token[:, None]  # (batch, 1)
        check_reading(tokens, self.vocab_size, len(state.tokens))
        memories = [KeysValues(cache.key, cache.value) for cache in caches]  # (batch, heads, capacity, width)
        device, is_a_row = token.device.type, len(token) == 1 and not self.decoder.training
        decoder = self._for_a_row if is_a_row and device == "cpu" else self.decoder
        logits = _compiled_logits(device)(decoder, tokens, memories, read)  # (batch, vocab)
        for cache in caches:
            cache.length, cache.version = read + 1, cache.version + 1
        latest = torch.cat([state.tokens, tokens], dim=1)  # (batch, read + 1)
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
    return decoder(tokens, start=read, caches=caches, only_last=True)[:, 0]  # (batch, vocab)
