"""The decoder-only Transformer: a language model, and with a memory the decoder of a translator.

Chapter 11 teaches the language model, chapter 14 the cache that lets it read each token once.
"""

import math
from dataclasses import replace
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.autoregressive import SequenceModel, check_tokens
from transformer_lib.cache import DecoderState, KeyValueCache
from transformer_lib.config import TransformerConfig
from transformer_lib.linear import projection
from transformer_lib.masks import Mask
from transformer_lib.stack import block, embed, final_norm, input_positions, token_embedding

__all__ = ["DecoderLM"]


class DecoderLM(SequenceModel):
    r"""A decoder-only Transformer: :math:`p(x_{t+1} \mid x_{\le t}) = \mathrm{softmax}(W_z^\top z_t)`.

    Token embeddings, told their positions, pass through causal blocks and, with pre-norm, a last
    normalization; a linear head, by default the transposed token embedding, gives the logits. Weights start
    as GPT-2's: normal with deviation 0.02, divided by :math:`\sqrt{2 L}` where a branch joins the residual
    line. Linear maps within a scheme of positions keep their own start, so that tokens come through them.

    Parameters
    ----------
    config
        The shape.
    cross_attention
        Whether every block also attends to a memory: then this is the decoder of an :class:`EncoderDecoder`,
        and its weights start as the encoder's.
    generator
        The source of the initial weights.

    Source: N9, N12a, S5, S6, K5, K6, K7, K8, K9, K10, K11; Radford et al. (2019) for pre-norm and
    initialization
    """

    def __init__(
        self,
        config: TransformerConfig,
        *,
        cross_attention: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.config = config
        self.vocab_size, self.context_length = config.vocab_size, config.context_length
        self.start_token = config.start_token
        self.token_embedding = token_embedding(config.vocab_size, config.d_model, generator)
        self.positions = input_positions(config, generator)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            block(config, generator, cross_attention=cross_attention) for _ in range(config.n_layers)
        )
        self.final_norm = final_norm(config)
        self.head = None
        if not config.tie_embeddings:
            self.head = projection(config.d_model, config.vocab_size, bias=False, generator=generator)
        if not cross_attention:
            self._start_as_gpt2(generator)

    def _start_as_gpt2(self, generator: torch.Generator | None) -> None:
        joins = ("attention.output.weight", "feed_forward.down.weight")
        for name, parameter in self.named_parameters():
            is_position_map = name.startswith("positions.") and name != "positions.table.weight"
            if parameter.dim() == 2 and not is_position_map:
                shrink = math.sqrt(2 * self.config.n_layers) if name.endswith(joins) else 1.0
                nn.init.normal_(parameter, std=0.02 / shrink, generator=generator)

    def logits(
        self,
        tokens: Int[Tensor, "batch time"],
        memory: Float[Tensor, "sources source_time d_model"] | None = None,
        memory_mask: Mask | None = None,
    ) -> Float[Tensor, "batch time vocab"]:
        """Unnormalized log-probabilities; those at ``[:, t]`` predict the token after ``tokens[:, t]``.

        Parameters
        ----------
        memory, memory_mask
            What cross-attention attends to, and what of it is no padding.

        Raises
        ------
        ValueError
            If there are more tokens than ``context_length``, not as many rows of memory as of tokens or, for
            tokens in CPU memory, where looking is free, if one is outside the vocabulary.

        Source: N9, K11
        """
        if memory is not None:
            _check_sources(memory, len(tokens))
        return self._predict(self._run(tokens, 0, [memory] * len(self.blocks), memory_mask))

    def init_state(
        self,
        batch_size: int,
        memory: Float[Tensor, "batch source_time d_model"] | None = None,
        source_lengths: Int[Tensor, "batch"] | None = None,
    ) -> DecoderState:
        """The state in which nothing has been read, with memory set aside for ``context_length`` tokens.

        Raises
        ------
        ValueError
            If there are not ``batch_size`` rows of memory.
        """
        device = self.token_embedding.weight.device
        state = DecoderState(
            tokens=torch.empty(batch_size, 0, dtype=torch.long, device=device),
            caches=self._new_caches(batch_size),
        )
        if memory is not None:
            _check_sources(memory, batch_size)
            state.memory = [layer.cross_attention.keys_values(memory) for layer in self.blocks]
            state.source_lengths = source_lengths
            state.sources = torch.arange(batch_size, device=device)
        return state

    @torch.no_grad()
    def read(
        self, tokens: Int[Tensor, "batch time"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        """Read several tokens in one pass, the keys and values of those before them from the cache.

        Beyond ``context_length`` the latest ``context_length`` tokens are read anew, their positions counted
        from 0, as :meth:`~transformer_lib.autoregressive.SequenceModel.conditional_log_probs` scores them.
        A state may be gone on from more than once: all but the first time its tokens are read anew, for the
        caches belong to who wrote last. No gradient comes back through a state; training uses :meth:`logits`.

        Raises
        ------
        ValueError
            If there is no token, one outside the vocabulary, or not as many rows as the state has.
        """
        if tokens.ndim != 2 or tokens.shape[1] == 0 or len(tokens) != len(state.tokens):
            raise ValueError(
                f"{len(state.tokens)} rows read at least one token each; got the shape {tuple(tokens.shape)}"
            )
        latest = torch.cat([state.tokens, tokens], dim=1)[:, -self.context_length :]
        read = state.tokens.shape[1]
        caches = state.caches if read + tokens.shape[1] <= self.context_length else None
        if caches and caches[0].version != state.version:
            caches, read = self._new_caches(len(tokens)), 0
        inputs, start = (tokens, read) if caches and read else (latest, 0)
        memory = state.memory or [None] * len(self.blocks)
        x = self._run(inputs, start, memory, state.memory_mask, caches)
        version = caches[0].version if caches else 0
        return self._predict(x[:, -1]), replace(state, tokens=latest, caches=caches, version=version)

    def step(
        self, token: Int[Tensor, "batch"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        """Read one more token."""
        return self.read(token[:, None], state)

    def n_parameters(self) -> int:
        """The number of trainable numbers; what is shared counts once."""
        return sum(parameter.numel() for parameter in self.parameters())

    def _new_caches(self, batch_size: int) -> list[KeyValueCache]:
        return [layer.attention.new_cache(batch_size, self.context_length) for layer in self.blocks]

    def _run(
        self,
        tokens: Tensor,
        start: int,
        memory: list[Any],
        memory_mask: Mask | None,
        caches: list[KeyValueCache] | None = None,
    ) -> Float[Tensor, "batch time d_model"]:
        if tokens.is_cpu and not torch.compiler.is_compiling():
            check_tokens(tokens, self.vocab_size)
        time = tokens.shape[1]
        if time > self.context_length:
            raise ValueError(
                f"{time} tokens are more than the model's context_length of {self.context_length}"
            )
        x = embed(self.config, self.token_embedding, tokens.long(), self.training)
        x = self.dropout(self.positions.embed(x, start))
        mask = Mask.causal()
        for layer, recalled, cache in zip(self.blocks, memory, caches or [None] * len(self.blocks)):
            x = layer(x, mask, memory=recalled, memory_mask=memory_mask, cache=cache)
        return self.final_norm(x)

    def _predict(self, z: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        return F.linear(z, (self.token_embedding if self.head is None else self.head).weight)


def _check_sources(memory: Tensor, n_targets: int) -> None:
    if len(memory) != n_targets:
        raise ValueError(f"there are {len(memory)} sources; {n_targets} targets do not fit them")
