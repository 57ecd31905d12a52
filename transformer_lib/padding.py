"""What stands before a sequence, and behind it: start tokens, windows of a history, and padding.

The slides' Option A gives the first tokens, which lack a history, start tokens in its place (chapter 1).
"""

import torch
from jaxtyping import Int
from torch import Tensor

from transformer_lib.checks import check_not_negative

__all__ = ["history_windows", "pad_start", "shift_right", "without_padding"]


def pad_start(x: Int[Tensor, "batch time"], start_token: int, history: int) -> Int[Tensor, "batch padded"]:
    """``history`` start tokens, then ``x``: the slides' Option A for the first tokens, which lack a history.

    Returns ``history + time`` tokens.

    Raises
    ------
    ValueError
        If ``history`` is negative.

    Source: S2
    """
    check_not_negative(history=history)
    start = x.new_full((x.shape[0], history), start_token)
    return torch.cat([start, x], dim=1)


def shift_right(x: Int[Tensor, "batch time"], start_token: int) -> Int[Tensor, "batch time"]:
    """``(start, x_1, ..., x_{T-1})``: at each time the token before the one to be predicted."""
    return pad_start(x, start_token, 1)[:, : x.shape[1]]


def history_windows(
    x: Int[Tensor, "batch time"], history: int, start_token: int
) -> Int[Tensor, "batch time history"]:
    r"""For each :math:`t` the ``history`` tokens :math:`(x_{t-p}, \dots, x_{t-1})` before it, start-padded.

    Source: S2
    """
    windows = pad_start(x, start_token, history).unfold(1, history, 1)
    return windows[:, : x.shape[1]]


def without_padding(
    tokens: Int[Tensor, "batch time"], lengths: Int[Tensor, "batch"] | None
) -> Int[Tensor, "batch time"]:
    """The tokens with 0 in place of padding, which may hold anything."""
    if lengths is None or tokens.ndim != 2:
        return tokens
    # (batch, time)
    padding = torch.arange(tokens.shape[1], device=tokens.device) >= lengths.to(tokens.device)[:, None]
    return tokens.masked_fill(padding, 0)
