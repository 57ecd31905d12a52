"""The decoder-only Transformer: a language model, and with a memory the decoder of a translator.

Chapter 11 teaches the language model, chapter 14 the cache that lets it read each token once.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lib.checks import check_inputs, check_position_ids, check_reading
from transformer_lib.initialization import embedding, projection
from transformer_lib.interfaces import SequenceModel
from transformer_lib.transformer.cache import DecoderState, KeysValues, KeyValueCache
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.position_hooks import Positions
from transformer_lib.transformer.stack import TransformerStack, embed

__all__ = ["DecoderLM"]

GPT2_STD = 0.02


class DecoderLM(SequenceModel):
    r"""A decoder-only Transformer: :math:`p(x_{t+1} \mid x_{\le t}) = \mathrm{softmax}(W_z^\top z_t)`.

    Token embeddings pass through a causal :class:`~transformer_lib.transformer.stack.TransformerStack`; a
    linear head, by default the transposed token embedding, gives the logits. Weights start as GPT-2's: normal
    with deviation 0.02, divided by :math:`\sqrt{2 L}` where a branch joins the residual line. Linear maps
    within a scheme of positions start with variance 1 / (number of inputs), so that tokens come through them.
    With ``attention_only`` all weights do, and embeddings start with variance 1 / ``d_model``. Calling the
    model gives logits; their mean loss is :func:`~transformer_lib.losses.language_model_loss`.

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

    def forward(
        self,
        tokens: Int[Tensor, "batch time"],
        memory: Float[Tensor, "sources source_time d_model"] | Sequence[KeysValues] | None = None,
        memory_mask: Mask | None = None,
        *,
        start: int = 0,
        caches: Sequence[KeyValueCache] | None = None,
        only_last: bool = False,
        position_ids: Int[Tensor, "batch time"] | None = None,
        mask: Mask | None = None,
    ) -> Float[Tensor, "batch _ vocab"]:
        """What :meth:`logits` gives, unchecked: the computation itself, as training and decoding call it.

        Parameters
        ----------
        memory
            What cross-attention attends to, or, for each block, its keys and values.
        start, caches
            The position of the first token, and the keys and values of those before it.
        only_last
            Whether only the logits after the last token are computed.
        position_ids, mask
            As for :meth:`logits`; with ``caches`` there can be no ``position_ids``.
        """
        read = {"memory": memory, "memory_mask": memory_mask, "caches": caches}
        # (batch, time, d_model)
        x = embed(self.token_embedding, tokens, self.config, self.training)
        allowed = self.mask if mask is None else self.mask & mask
        place = start if position_ids is None else position_ids
        z = self.stack(x, allowed, start=place, **read)  # (batch, time, d_model)
        return self.predict(z[:, -1:] if only_last else z)  # (batch, time or 1, vocab)

    def logits(
        self,
        tokens: Int[Tensor, "batch time"],
        memory: Float[Tensor, "sources source_time d_model"] | None = None,
        memory_mask: Mask | None = None,
        *,
        position_ids: Int[Tensor, "batch time"] | None = None,
        mask: Mask | None = None,
    ) -> Float[Tensor, "batch time vocab"]:
        """Unnormalized log-probabilities; those at ``[:, t]`` predict the token after ``tokens[:, t]``.

        With ``cross_attention``, they also depend on a memory, of which ``memory_mask`` hides padding.

        Parameters
        ----------
        position_ids
            Where each token stands, by default 0, 1, 2, ... in each row: where several texts share a row,
            each counts from 0, and so does a text behind padding.
        mask
            What may attend to what, besides the model's own mask: it keeps the texts of a row apart.

        Raises
        ------
        ValueError
            If there are more tokens than ``context_length``, a token is outside the vocabulary or a position
            outside the context (in CPU memory), or the memory has another number of rows.

        Source: N9, K11
        """
        check_inputs(tokens, self.vocab_size, self.context_length)
        check_position_ids(position_ids, tokens, self.context_length)
        self._check_memory(memory, len(tokens))
        return self(tokens, memory, memory_mask, position_ids=position_ids, mask=mask)

    def features(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time d_model"]:
        r"""What the head reads, :math:`z_t`: :meth:`logits` without a memory are :meth:`predict` of them.

        Raises
        ------
        ValueError
            As :meth:`logits`.

        Source: N9
        """
        check_inputs(tokens, self.vocab_size, self.context_length)
        return self.stack(embed(self.token_embedding, tokens, self.config, self.training), self.mask)

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
        self._check_memory(memory, batch_size)
        if memory is not None:
            state.memory = self.stack.keys_values(memory)  # (batch, kv_heads, source_time, width) each
            state.source_lengths = None if source_lengths is None else source_lengths.to(read.device)
            state.sources = torch.arange(batch_size, device=read.device)  # (batch,)
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
        latest = torch.cat([state.tokens, tokens], dim=1)[:, -self.context_length :]  # (batch, read)
        read = state.tokens.shape[1]
        # Beyond the context each token has another position than before, and other keys and values.
        caches = state.caches if read + tokens.shape[1] <= self.context_length else None
        if caches and caches[0].version != state.version:
            # Another continuation of this state has written into the caches since: all is read again.
            caches, read = self._new_caches(len(tokens)), 0
        # (batch, time): the new tokens behind a cache, or all
        inputs, start = (tokens, read) if caches and read else (latest, 0)
        memory, mask = state.memory, state.memory_mask
        logits = self(inputs, memory, mask, start=start, caches=caches, only_last=True)  # (batch, 1, vocab)
        version = caches[0].version if caches else 0
        return logits[:, 0], replace(state, tokens=latest, caches=caches, version=version)  # (batch, vocab)

    def step(
        self, token: Int[Tensor, "batch"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        """Read one more token."""
        return self.read(token[:, None], state)  # token: (batch, 1)

    def _new_caches(self, batch_size: int) -> list[KeyValueCache]:
        return self.stack.new_caches(batch_size, self.context_length)

    def predict(self, z: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        r"""The head: :math:`W_z^\top z`.

        Source: N9
        """
        if self.head is None:
            return nn.functional.linear(z, self.token_embedding.weight)
        return self.head(z)

    def _check_memory(self, memory: Tensor | None, n_targets: int) -> None:
        if (memory is None) != (self.stack.blocks[0].cross_attention is None):
            raise ValueError("a memory is needed with cross_attention=True, and only then")
        if memory is not None and len(memory) != n_targets:
            raise ValueError(f"there are {len(memory)} sources; {n_targets} targets do not fit them")
