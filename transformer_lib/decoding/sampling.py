r"""Continuing a sequence with a model: greedy, or sampled from a sharpened and truncated distribution.

:func:`generate` works for every :class:`~transformer_lib.interfaces.SequenceModel`; it reads tokens
through the model's own state, so that a model that carries one samples fast. Chapter 11 samples from the
language model, chapter 14 compares the ways to decode; the most probable sequences are found by
:func:`~transformer_lib.decoding.beam.beam_search`.
"""

import math
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from transformer_lib.checks import (
    check_above_zero,
    check_lengths,
    check_not_negative,
    check_number,
    check_positive,
    check_token,
    check_tokens,
)
from transformer_lib.decoding.compiled import with_compiled_step
from transformer_lib.interfaces import SequenceModel, at_least_float32, evaluation_mode, sample_categorical
from transformer_lib.padding import without_padding

__all__ = ["check_prompt", "generate", "read_prompt", "top_k_filter", "top_p_filter"]


@torch.no_grad()
def generate(
    model: SequenceModel,
    prompt: Int[Tensor, "batch time"],
    n_tokens: int,
    *,
    prompt_lengths: Int[Tensor, "batch"] | None = None,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    end_token: int | None = None,
    generator: torch.Generator | None = None,
    compiled: bool = False,
) -> Int[Tensor, "batch total"]:
    r"""Add ``n_tokens`` tokens to each prompt, :math:`x_t \sim \mathrm{softmax}(\text{logits}_t / \tau)`.

    The prompt is :math:`x_1, \dots, x_t`, without the model's start token, which is put before it; an empty
    prompt starts from nothing. Beyond ``context_length`` the model sees the last ``context_length`` tokens.
    Dropout is off meanwhile.

    Prompts of different lengths are read together: what all have at once, then token by token, where a row
    whose prompt goes on reads its own next token. A row's greedy continuation, and the distribution of a
    sampled one, do not depend on the other rows. The samples themselves do, because one draw serves all rows.

    Parameters
    ----------
    model
        What predicts the next token.
    prompt
        One prompt per row, at most ``context_length`` tokens each.
    n_tokens
        How many tokens to add to each row.
    prompt_lengths
        How many tokens of each row are the prompt; the others are padding, whatever their value. ``None`` if
        there is no padding.
    temperature
        :math:`\tau`. 0 is greedy: the most probable token, among equals the one of lowest id.
    top_k, top_p
        Filters applied in this order after the temperature: :func:`top_k_filter`, :func:`top_p_filter`.
    end_token
        A row that has produced this token is filled up with it; one in the prompt stops nothing.
    generator
        The source of the samples, on the model's device: the same one, the same prompts, the same result.
    compiled
        Whether a :class:`~transformer_lib.transformer.language_model.DecoderLM` steps through compiled code,
        which computes the same to rounding. Compiling takes as long as thousands of tokens, and happens once
        for models of a shape in a process: it is for long or many samples.

    Returns
    -------
    The prompts, each followed directly by its continuation, ``time + n_tokens`` tokens per row. A row's last
    ``time - prompt_lengths`` tokens are padding: ``end_token``, or 0 without one.

    Raises
    ------
    ValueError
        If a prompt is longer than the context, a token, a length or a setting is out of its range, or the
        model has no compiled step.

    Source: S5
    """
    if compiled:
        model = with_compiled_step(model)
    lengths = check_prompt(model, prompt, prompt_lengths)
    check_not_negative(n_tokens=n_tokens)
    check_number("temperature", temperature, least=0)
    if top_k is not None:
        check_positive(top_k=top_k)
    if top_p is not None:
        _check_top_p(top_p)
    if end_token is not None:
        check_token("end_token", end_token, model.vocab_size)

    batch, time = prompt.shape
    shortest, longest = (int(lengths.min()), int(lengths.max())) if batch else (time, time)
    fill = 0 if end_token is None else end_token
    tokens = prompt.new_full((batch, time + n_tokens), fill, dtype=torch.long)  # (batch, time + n_tokens)
    # What pads a prompt may be no token.
    tokens[:, :time] = prompt.long().masked_fill(_padding(prompt, lengths), fill)
    if n_tokens == 0:
        return tokens

    stopped = torch.zeros(batch, dtype=torch.bool, device=tokens.device)  # (batch,)
    with evaluation_mode(model):
        # All are read as far as the shortest goes; a longer one then reads its own tokens.
        logits, state = read_prompt(model, tokens[:, :shortest])  # (batch, vocab)
        for t in range(shortest, longest + n_tokens):
            token = _choose(logits, temperature, top_k, top_p, generator)  # (batch,)
            if t < longest:  # a longer prompt goes on
                token = torch.where(t < lengths, tokens[:, t], token)
            if t >= shortest + n_tokens:  # the row of a shorter prompt is full
                token = token.masked_fill(t >= lengths + n_tokens, fill)
            if end_token is not None:
                token = token.masked_fill(stopped, end_token)
                stopped = (token == end_token) & (t >= lengths)
            tokens[:, t] = token
            if t + 1 == longest + n_tokens or (end_token is not None and stopped.all()):
                break  # nobody asks what would follow
            logits, state = model.step(token, state)  # (batch, vocab)
    return tokens


def check_prompt(
    model: SequenceModel, prompt: Int[Tensor, "batch time"], prompt_lengths: Tensor | None = None
) -> Int[Tensor, "batch"]:
    """The lengths of prompts that ``model`` can continue: ``prompt_lengths``, or all the same if ``None``.

    Raises
    ------
    ValueError
        If a length is outside ``0..time``, a prompt longer than the model's ``context_length``, or one of its
        tokens outside the vocabulary.
    """
    if prompt_lengths is None:
        check_tokens(prompt, model.vocab_size)
        lengths = prompt.new_full(prompt.shape[:1], prompt.shape[1], dtype=torch.long)
    else:
        check_lengths("prompt_lengths", prompt_lengths, prompt)
        check_tokens(without_padding(prompt, prompt_lengths), model.vocab_size)
        lengths = prompt_lengths.to(prompt.device, torch.long)
    longest = int(lengths.max()) if len(lengths) else prompt.shape[1]
    if model.context_length is not None and longest > model.context_length:
        raise ValueError(
            f"the prompt of {longest} tokens is longer than the model's context_length of "
            f"{model.context_length}"
        )
    return lengths


def read_prompt(
    model: SequenceModel, prompt: Int[Tensor, "batch time"]
) -> tuple[Float[Tensor, "batch vocab"], Any]:
    """Read the start token and the prompt; return the logits of the first new token, and the state."""
    start = prompt.new_full((prompt.shape[0], 1), model.start_token, dtype=torch.long)  # (batch, 1)
    # The start token and the prompt: (batch, 1 + time)
    return model.read(torch.cat([start, prompt.long()], dim=1), model.init_state(prompt.shape[0]))


def top_k_filter(logits: Float[Tensor, "*batch vocab"], k: int) -> Float[Tensor, "*batch vocab"]:
    """Keep the ``k`` largest logits and put the others at minus infinity; among equals the lower ids stay.

    Raises
    ------
    ValueError
        If ``k`` is below 1.

    Source: Fan et al. (2018)
    """
    check_positive(top_k=k)
    k = min(k, logits.shape[-1])
    least = logits.topk(k, dim=-1).values[..., -1:]  # (*batch, 1)
    kept, tied = logits > least, logits == least  # (*batch, vocab) each
    # A comparison alone would keep all that equal the least.
    kept |= tied & (tied.cumsum(dim=-1) <= k - kept.sum(dim=-1, keepdim=True))
    return logits.masked_fill(~kept, -math.inf)


def top_p_filter(logits: Float[Tensor, "*batch vocab"], p: float) -> Float[Tensor, "*batch vocab"]:
    r"""Keep the most probable tokens until their probabilities reach ``p``; the others go to minus infinity.

    The smallest such set is kept, at least one token; among equals the lower ids stay. ``p=1`` keeps all.

    Raises
    ------
    ValueError
        If ``p`` is not above 0 and at most 1.

    Source: Holtzman et al. (2020)
    """
    _check_top_p(p)
    if p == 1:
        return logits
    sorted_logits, order = logits.sort(dim=-1, descending=True, stable=True)
    probabilities = sorted_logits.softmax(dim=-1)
    reached_before = probabilities.cumsum(dim=-1).roll(1, dims=-1)
    reached_before[..., 0] = 0.0  # where roll has put the sum of all
    kept_in_order = reached_before < p
    # (*batch, vocab), each where it was before sorting
    kept = torch.zeros_like(kept_in_order).scatter(-1, order, kept_in_order)
    return logits.masked_fill(~kept, -math.inf)


def _choose(
    logits: Float[Tensor, "batch vocab"],
    temperature: float,
    top_k: int | None,
    top_p: float | None,
    generator: torch.Generator | None,
) -> Int[Tensor, "batch"]:
    if temperature == 0:
        return logits.argmax(dim=-1)  # (batch,)
    logits = at_least_float32(logits)
    # With the largest at 0 and a divisor that is not rounded to 0, no temperature, however low, overflows.
    temperature = max(temperature, torch.finfo(logits.dtype).tiny)
    logits = (logits - logits.amax(dim=-1, keepdim=True)) / temperature
    if top_k is not None:
        logits = top_k_filter(logits, top_k)
    if top_p is not None:
        logits = top_p_filter(logits, top_p)
    return sample_categorical(logits, generator)  # (batch,)


def _padding(prompt: Int[Tensor, "batch time"], lengths: Int[Tensor, "batch"]) -> Bool[Tensor, "batch time"]:
    return torch.arange(prompt.shape[1], device=prompt.device) >= lengths[:, None]


def _check_top_p(p: float) -> None:
    check_above_zero("top_p", p)
    check_number("top_p", p, least=0, most=1)
