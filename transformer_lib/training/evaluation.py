"""How well a language model predicts a text, each token of it counted once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from transformer_lib.autoregressive import SequenceModel, check_tokens, device_of

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
    tokens: Int[np.ndarray, "time"] | Int[Tensor, "time"],
    *,
    stride: int | None = None,
    on_scored: Callable[[int], object] = lambda n_tokens: None,
) -> LanguageModelScore:
    r"""Mean :math:`-\log p(x_t \mid x_{<t})` of a text, in nats a token, each token counted once.

    The text is read in windows of ``context_length`` tokens, each ``stride`` further on, and a token is
    scored by the first window that contains it: beyond the first window it has at least ``context_length -
    stride + 1`` tokens of history. The windows are those of
    :meth:`~transformer_lib.autoregressive.SequenceModel.conditional_log_probs`, here many at a time.

    Parameters
    ----------
    stride : int, optional
        From 1 to ``context_length``; by default half of it. Smaller gives longer histories at more cost.
    on_scored
        Told, again and again, how many more tokens have been scored.

    Raises
    ------
    ValueError
        If there are no tokens, one is outside the vocabulary, or the stride is outside its range.

    Source: S1, S2
    """
    stream = torch.as_tensor(tokens).long()[None]
    length = stream.shape[1]
    if length == 0:
        raise ValueError("there is no text to evaluate: it has no tokens")
    check_tokens(stream, model.vocab_size)
    context = model.context_length or length
    stride = max(1, context // 2) if stride is None else stride
    if not 1 <= stride <= context:
        raise ValueError(f"stride must be from 1 to context_length = {context}; got {stride}")

    inputs = torch.cat([stream.new_full((1, 1), model.start_token), stream[:, :-1]], dim=1).squeeze(0)
    targets = stream.squeeze(0)
    window = min(context, length)
    ends = [*range(window, length, stride), length]
    scored_from = torch.tensor([0, *ends[:-1]])
    begins = torch.tensor(ends) - window
    offsets = torch.arange(window)
    device, training = device_of(model), model.training
    model.eval()
    total = 0.0
    try:
        for rows in torch.arange(len(ends)).split(max(1, TOKENS_AT_ONCE // window)):
            positions = begins[rows, None] + offsets
            logits = model.logits(inputs[positions].to(device))
            targets_here = targets[positions].to(device)
            nats = torch.nn.functional.cross_entropy(logits.transpose(1, 2), targets_here, reduction="none")
            counted = (positions >= scored_from[rows, None]).to(device)
            total += nats[counted].cpu().double().sum().item()
            on_scored(int(counted.sum()))
    finally:
        model.train(training)
    return LanguageModelScore(total / length, length)
