"""Transformers that read a source: the encoder, a classifier on it, and encoder and decoder together.

Chapter 13 builds the translator after Stratos; what it reads and writes is a
:class:`~transformer_lib.interfaces.ConditionalModel`, so that every way to decode applies.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.checks import (
    check_choice,
    check_inputs,
    check_lengths,
    check_position_ids,
    check_positive,
)
from transformer_lib.initialization import embedding, projection
from transformer_lib.interfaces import ConditionalModel, Model, SequenceModel
from transformer_lib.padding import without_padding
from transformer_lib.transformer.cache import DecoderState
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.stack import TransformerStack, embed

__all__ = ["POOLINGS", "Classifier", "Encoder", "EncoderDecoder"]

POOLINGS = ("last", "first", "mean", "each")


class Encoder(Model):
    r"""Tokens to vectors, each of which has seen the whole sequence.

    Parameters
    ----------
    config
        The shape; its ``source_vocab_size``, if there is one, is the vocabulary.
    generator
        The source of the initial weights.

    Source: K1, K2, K3, K4; N12a
    """

    def __init__(self, config: TransformerConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.vocab_size = config.source_vocab_size or config.vocab_size
        self.token_embedding = embedding(
            self.vocab_size, config.d_model, std=config.d_model**-0.5, generator=generator
        )
        self.stack = TransformerStack(config, generator=generator)

    def forward(
        self,
        tokens: Int[Tensor, "batch time"],
        lengths: Int[Tensor, "batch"] | None = None,
        *,
        position_ids: Int[Tensor, "batch time"] | None = None,
        mask: Mask | None = None,
    ) -> Float[Tensor, "batch time d_model"]:
        """One vector per token; those of padding mean nothing.

        Parameters
        ----------
        lengths
            How many tokens of each row count; the others are padding, whatever their value. ``None`` if there
            is no padding.
        position_ids
            Where each token stands, by default 0, 1, 2, ... in each row: where several texts share a row,
            each counts from 0.
        mask
            What may attend to what, besides the lengths: it keeps the texts of a row apart.

        Raises
        ------
        ValueError
            If there are more tokens than ``context_length``, one is outside the vocabulary, the lengths do
            not fit, or a position is outside the context (in CPU memory).
        """
        check_lengths("lengths", lengths, tokens)
        check_inputs(without_padding(tokens, lengths), self.vocab_size, self.config.context_length)
        check_position_ids(position_ids, tokens, self.config.context_length)
        return self.encode(tokens, lengths, position_ids=position_ids, mask=mask)

    def encode(
        self,
        tokens: Int[Tensor, "batch time"],
        lengths: Int[Tensor, "batch"] | None,
        *,
        position_ids: Int[Tensor, "batch time"] | None = None,
        mask: Mask | None = None,
    ) -> Float[Tensor, "batch time d_model"]:
        """What :meth:`forward` gives, unchecked: the computation itself, as training calls it."""
        if lengths is not None:
            seen = Mask.from_key_lengths(lengths)
            mask = seen if mask is None else seen & mask
        tokens = without_padding(tokens, lengths)  # padding may hold what is no token
        x = embed(self.token_embedding, tokens, self.config, self.training)  # (batch, time, d_model)
        return self.stack(x, mask, start=0 if position_ids is None else position_ids)


class Classifier(Model):
    r"""An encoder and a linear head: one label for a sequence, or one for each token.

    Parameters
    ----------
    config
        The shape of the encoder.
    n_classes
        The number of labels.
    pooling
        What the label is read from: the vector of the ``"last"`` token, as the note has it, of the
        ``"first"``, the ``"mean"`` of all, or ``"each"`` of them, which tags every token.
    generator
        The source of the initial weights.

    Raises
    ------
    ValueError
        If ``n_classes`` is below 1 or ``pooling`` is unknown.

    Source: N9
    """

    def __init__(
        self,
        config: TransformerConfig,
        n_classes: int,
        *,
        pooling: str = "last",
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_positive(n_classes=n_classes)
        check_choice("pooling", pooling, POOLINGS)
        self.config, self.n_classes, self.pooling = config, n_classes, pooling
        self.encoder = Encoder(config, generator=generator)
        self.head = projection(config.d_model, n_classes, generator=generator)

    def forward(
        self, tokens: Int[Tensor, "batch time"], lengths: Int[Tensor, "batch"] | None = None
    ) -> Float[Tensor, "batch n_classes"] | Float[Tensor, "batch time n_classes"]:
        """The logits of the labels; ``lengths`` as for the encoder, but at least 1 unless ``"each"``."""
        z = self.encoder(tokens, lengths)  # (batch, time, d_model)
        if self.pooling == "each":
            return self.head(z)  # (batch, time, n_classes)
        batch, time = tokens.shape
        lengths = torch.full((batch,), time, device=z.device) if lengths is None else lengths.to(z.device)
        if time == 0 or (lengths < 1).any():
            raise ValueError(f"pooling {self.pooling!r} needs at least one token in every sequence")
        if self.pooling == "mean":
            counts = torch.arange(time, device=z.device) < lengths[:, None]  # (batch, time)
            return self.head((z * counts[..., None]).sum(1) / lengths[:, None])  # (batch, n_classes)
        place = lengths - 1 if self.pooling == "last" else torch.zeros_like(lengths)  # (batch,)
        return self.head(z[torch.arange(batch, device=z.device), place])  # (batch, n_classes)


class EncoderDecoder(ConditionalModel):
    r"""The Transformer of Vaswani et al. (2017), as Stratos writes it, with a masked decoder.

    :math:`p(y_{j+1} \mid x, y_{\le j}) = \mathrm{softmax}(E^O o_j)`, where :math:`o_j` has attended to
    :math:`y_1, \dots, y_j` and to the encoded source. With a shared vocabulary source and target have one
    embedding, which by default is the head's too.

    Parameters
    ----------
    config
        The shape of both stacks.
    generator
        The source of the initial weights: normal with variance 1 / (number of inputs), embeddings with
        variance ``1 / d_model``.

    Source: K1, K2, K3, K4, K5, K6, K7, K8, K9, K10, K11, K12, K13, K14, K15, K16, K17
    """

    def __init__(self, config: TransformerConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.vocab_size, self.start_token = config.vocab_size, config.start_token
        self.encoder = Encoder(config, generator=generator)
        self.decoder = DecoderLM(config, cross_attention=True, generator=generator)
        self.source_vocab_size = self.encoder.vocab_size
        if config.source_vocab_size is None:
            self.encoder.token_embedding = self.decoder.token_embedding

    def condition(
        self, source: Int[Tensor, "batch source_time"], source_lengths: Int[Tensor, "batch"] | None = None
    ) -> SequenceModel:
        """The model of the targets that belong to these sources, which are read once."""
        return _Conditioned(self.decoder, self.encoder(source, source_lengths), source_lengths)

    def forward(
        self,
        source: Int[Tensor, "batch source_time"],
        inputs: Int[Tensor, "batch time"],
        source_lengths: Int[Tensor, "batch"] | None = None,
    ) -> Float[Tensor, "batch time vocab"]:
        """The logits at each target position, of the token after ``inputs[:, t]``."""
        mask = None if source_lengths is None else Mask.from_key_lengths(source_lengths)
        memory = self.encoder.encode(source, source_lengths)  # (batch, source_time, d_model)
        return self.decoder(inputs, memory, mask)  # (batch, time, vocab)


class _Conditioned(SequenceModel):
    """A decoder and the memory that it attends to."""

    def __init__(
        self,
        decoder: DecoderLM,
        memory: Float[Tensor, "batch source_time d_model"],
        source_lengths: Int[Tensor, "batch"] | None,
    ) -> None:
        super().__init__()
        self.decoder, self.memory, self.source_lengths = decoder, memory, source_lengths
        self.vocab_size, self.context_length = decoder.vocab_size, decoder.context_length
        self.start_token, self.training = decoder.start_token, decoder.training

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        mask = None if self.source_lengths is None else Mask.from_key_lengths(self.source_lengths)
        return self.decoder.logits(tokens, self.memory, mask)

    def init_state(self, batch_size: int) -> DecoderState:
        return self.decoder.init_state(batch_size, self.memory, self.source_lengths)

    def read(
        self, tokens: Int[Tensor, "batch time"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        return self.decoder.read(tokens, state)

    def step(
        self, token: Int[Tensor, "batch"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        return self.decoder.step(token, state)
