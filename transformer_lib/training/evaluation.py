"""How well a language model predicts a text, each token of it counted once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int, Integer
from torch import Tensor

from transformer_lib.checks import check_tokens
from transformer_lib.interfaces import (
    ScoringWindow,
    SequenceModel,
    at_least_float32,
    device_of,
    evaluation_mode,
    scoring_windows,
)

__all__ = ["LanguageModelScore", "evaluate_language_model"]

TOKENS_AT_ONCE = 4096


@dataclass(frozen=True)
class LanguageModelScore:
    """Mean negative log-likelihood ``nats`` of ``tokens`` tokens."""

    nats: float
    tokens: int


@torch.no_grad()
def evaluate_language_model(
    model: SequenceModel,
    tokens: Integer[np.ndarray, "time"] | Int[Tensor, "time"],
    *,
    stride: int | None = None,
    on_scored: Callable[[int], object] = lambda n_tokens: None,
) -> LanguageModelScore:
    r"""Mean :math:`-\log p(x_t \mid x_{<t})` of a text, in nats per token, each token counted once.

    The text is read in windows of ``context_length`` tokens, each ``stride`` further on, and a token is
    scored by the first window that contains it: beyond the first window it has at least ``context_length -
    stride + 1`` tokens of history. The windows are those of
    :meth:`~transformer_lib.interfaces.SequenceModel.conditional_log_probs`, here many at a time. A model
    without a ``context_length`` that carries a state (``logits_and_state``) scores every token with all that
    stands before it, and reads the text piece after piece.

    Parameters
    ----------
    stride : int, optional
        From 1 to ``context_length``; by default half of it. Smaller gives longer histories at more cost.
    on_scored
        Called with how many tokens have been scored since the last call.

    Raises
    ------
    ValueError
        If there are no tokens, one is outside the vocabulary, or the stride is outside its range.

    Source: S1, S2
    """
    if not isinstance(tokens, Tensor):
        tokens = torch.from_numpy(np.array(tokens, dtype=np.int64))
    stream = tokens.long()[None]
    length = stream.shape[1]
    if length == 0:
        raise ValueError("there is no text to evaluate: it has no tokens")
    check_tokens(stream, model.vocab_size)
    windows = scoring_windows(length, model.context_length, stride)
    inputs = torch.cat([stream.new_full((1, 1), model.start_token), stream[:, :-1]], dim=1).squeeze(0)
    targets = stream.squeeze(0)
    carries_state = model.context_length is None and hasattr(model, "logits_and_state")
    pieces = _in_pieces(model, inputs) if carries_state else _in_windows(model, inputs, windows)
    total = 0.0
    with evaluation_mode(model):
        for logits, positions in pieces:
            targets_here = targets[positions].to(logits.device)
            nats = torch.nn.functional.cross_entropy(at_least_float32(logits), targets_here, reduction="none")
            total += nats.cpu().double().sum().item()
            on_scored(len(positions))
    return LanguageModelScore(total / length, length)


Scored = tuple[Float[Tensor, "counted vocab"], Int[Tensor, "counted"]]


def _in_windows(
    model: Any, inputs: Int[Tensor, "time"], windows: Sequence[ScoringWindow]
) -> Iterator[Scored]:
    """Logits, and the positions that they predict, which no earlier window has.

    A model that has its head apart, as ``predict`` of its ``features``, predicts no others.
    """
    begins, _, scored_from = torch.tensor(windows).unbind(dim=1)
    size = windows[0].end
    for rows in torch.arange(len(windows)).split(max(1, TOKENS_AT_ONCE // size)):
        positions = begins[rows, None] + torch.arange(size)
        is_counted, window = positions >= scored_from[rows, None], inputs[positions].to(device_of(model))
        if hasattr(model, "features"):
            logits = model.predict(model.features(window)[is_counted])
        else:
            logits = model.logits(window)[is_counted]
        yield logits, positions[is_counted]


def _in_pieces(model: Any, inputs: Int[Tensor, "time"]) -> Iterator[Scored]:
    """The same from a model that goes on from where it was: all of the history, piece after piece."""
    state = model.init_state(1)
    for piece in torch.arange(len(inputs)).split(TOKENS_AT_ONCE):
        logits, state = model.logits_and_state(inputs[piece][None].to(device_of(model)), state)
        yield logits[0], piece
