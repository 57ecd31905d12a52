r"""Beam search: the continuations of highest score, as nearly as a bounded number of hypotheses finds them.

A score is a log-probability divided by a penalty that grows with the length, since every further token can
only lower the probability. :func:`beam_search` works for every
:class:`~transformer_lib.interfaces.SequenceModel`, among them those that condition on a source. Chapter
13 translates with it, chapter 14 compares the ways to decode.
"""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from transformer_lib.checks import check_not_negative, check_number, check_positive, check_token
from transformer_lib.decoding.sampling import check_prompt, read_prompt
from transformer_lib.interfaces import SequenceModel, device_of, evaluation_mode

__all__ = ["Hypotheses", "beam_search", "length_penalty_factor"]

LARGEST_FACTOR = 1e30


@dataclass(frozen=True)
class Hypotheses:
    r"""The best continuations that a search has found, of each row from the best to the worst.

    Attributes
    ----------
    sequences
        The new tokens, without the prompt; behind the end of a hypothesis stands ``end_token``.
    lengths
        How many tokens belong to each: :math:`|Y|`, the end token counted if it was produced.
    scores
        :math:`\log p(Y) / \mathrm{lp}(Y)`; minus infinity, with length 0, where there are no more hypotheses.
    log_probs
        :math:`\log p(Y)`, in nats.
    """

    sequences: Int[Tensor, "batch n_best time"]
    lengths: Int[Tensor, "batch n_best"]
    scores: Float[Tensor, "batch n_best"]
    log_probs: Float[Tensor, "batch n_best"]


def length_penalty_factor(length: int, alpha: float) -> float:
    r""":math:`\mathrm{lp}(Y) = \left(\frac{5 + |Y|}{6}\right)^\alpha`, by which a log-probability is divided.

    Raises
    ------
    ValueError
        If ``length`` or ``alpha`` is negative, or the factor above 1e30, where scores would vanish.

    Source: Wu et al. (2016), section 7
    """
    check_not_negative(length=length)
    largest = math.floor(math.log(LARGEST_FACTOR) / max(math.log((5 + length) / 6), 1e-3))
    check_number(f"the length penalty of {length} tokens", alpha, least=0, most=largest)
    return ((5 + length) / 6) ** alpha


@torch.no_grad()
def beam_search(
    model: SequenceModel,
    n_tokens: int,
    *,
    end_token: int,
    batch_size: int | None = None,
    prompt: Int[Tensor, "batch time"] | None = None,
    n_beams: int = 4,
    n_best: int = 1,
    length_penalty: float = 0.6,
) -> Hypotheses:
    r"""Look for the sequences :math:`Y` with the highest :math:`\log p(Y) / \mathrm{lp}(Y)`.

    A hypothesis ends with its first ``end_token``, or with its ``n_tokens``-th token. At each step every
    unfinished hypothesis is continued by every token, and the ``n_beams`` continuations of highest
    log-probability stay. Those that have ended leave the beam for a list of the ``n_best`` scores, which an
    unfinished hypothesis cannot push them out of; the next step fills the beam again. So one beam is greedy
    decoding, and beams enough for every prefix are exhaustive search.

    A row is done when the last score on its list is at least the largest :math:`\log p` among its unfinished
    hypotheses, divided by the penalty of ``n_tokens`` tokens. As :math:`\log p` can only fall and, for
    :math:`\alpha \ge 0`, the penalty only rise, none of them could get onto the list: stopping early changes
    no result.

    Among equal probabilities the continuation of the better hypothesis goes first, then the lower token id;
    among equal scores the hypothesis that ended earlier. Dropout is off meanwhile.

    Parameters
    ----------
    model
        What predicts the next token; for translation, what
        :meth:`~transformer_lib.interfaces.ConditionalModel.condition` returns.
    n_tokens
        The most tokens that are added, at least 1.
    end_token
        Ends a hypothesis.
    batch_size
        Searches from nothing in so many rows; for a conditional model, the number of sources.
    prompt
        Searches for the continuations of these, without start token, all of the same length. Either this or
        ``batch_size``.
    n_beams
        How many hypotheses are followed in each row.
    n_best
        How many are returned for each row, at most ``n_beams``.
    length_penalty
        :math:`\alpha` of :func:`length_penalty_factor`; 0 compares log-probabilities.

    Raises
    ------
    ValueError
        If there is a prompt and a batch size or neither, or a number, a token or the prompt is out of range.

    Source: Wu et al. (2016), section 7; K. Stratos, 2 (4 beams, length penalty)
    """
    if (prompt is None) == (batch_size is None):
        raise ValueError("beam_search needs either a prompt or a batch_size, to start from nothing")
    if batch_size is not None:
        check_not_negative(batch_size=batch_size)
        prompt = torch.empty(batch_size, 0, dtype=torch.long, device=device_of(model))
    assert prompt is not None
    check_prompt(model, prompt)
    check_positive(n_tokens=n_tokens, n_beams=n_beams, n_best=n_best)
    if n_best > n_beams:
        raise ValueError(f"n_best must be at most n_beams, {n_beams}; got {n_best}")
    vocab_size = model.vocab_size
    check_token("end_token", end_token, vocab_size)
    largest_factor = length_penalty_factor(n_tokens, length_penalty)

    batch, device = prompt.shape[0], prompt.device
    row = torch.arange(batch, device=device)[:, None]  # (batch, 1)
    with evaluation_mode(model):
        logits, state = read_prompt(model, prompt)  # (batch, vocab)
        dtype = torch.promote_types(logits.dtype, torch.float32)
        log_probs = torch.zeros(batch, 1, dtype=dtype, device=device)  # (batch, beams), at first one beam
        sequences = torch.full((batch, n_tokens), end_token, device=device)  # (batch * beams, n_tokens)
        finished = _nothing(sequences[:, None].expand(-1, n_best, -1), dtype)
        for length in range(1, n_tokens + 1):
            totals = _continued(logits.to(dtype), log_probs)  # (batch, beams * vocab)
            log_probs, index = _largest(totals, n_beams)  # (batch, beams) each
            token = index % vocab_size  # (batch, beams)
            # Which row of the state each beam continues: (batch * beams,)
            origin = (row * (totals.shape[1] // vocab_size) + index // vocab_size).flatten()
            moved = not torch.equal(origin, torch.arange(len(sequences), device=device))
            if moved:
                sequences = sequences.index_select(0, origin)  # (batch * beams, n_tokens)
            sequences[:, length - 1] = token.flatten()

            ended = token == end_token  # (batch, beams)
            if length == n_tokens:
                ended = torch.ones_like(ended)
            if ended.any():
                factor = length_penalty_factor(length, length_penalty)
                finished = _merged(finished, sequences, log_probs, ended, length, factor)
                log_probs = log_probs.masked_fill(ended, -math.inf)
            if (finished.scores[:, -1] >= log_probs.amax(dim=1) / largest_factor).all():
                break
            if moved:
                state = model.select_state(state, origin)
            logits, state = model.step(token.flatten(), state)  # (batch * beams, vocab)
    return finished


def _nothing(sequences: Int[Tensor, "batch n_best time"], dtype: torch.dtype) -> Hypotheses:
    lengths = sequences.new_zeros(sequences.shape[:2])  # (batch, n_best)
    scores = torch.full(lengths.shape, -math.inf, dtype=dtype, device=lengths.device)
    return Hypotheses(sequences, lengths, scores, scores)


def _continued(
    logits: Float[Tensor, "rows vocab"], log_probs: Float[Tensor, "batch beams"]
) -> Float[Tensor, "batch candidates"]:
    """The log-probability of every hypothesis with every next token; minus infinity where it has ended."""
    batch, beams = log_probs.shape
    # (batch, beams, vocab)
    totals = logits.log_softmax(dim=-1).view(batch, beams, logits.shape[1]).add_(log_probs[..., None])
    over = log_probs == -math.inf
    if over.any():
        totals.masked_fill_(over[..., None], -math.inf)
    return totals.flatten(1)  # (batch, beams * vocab)


def _largest(
    values: Float[Tensor, "batch candidates"], k: int
) -> tuple[Float[Tensor, "batch kept"], Int[Tensor, "batch kept"]]:
    """The ``k`` largest values of a row, or all, from the largest on, lower places first among equals."""
    candidates = values.shape[1]
    k = min(k, candidates)
    largest, index = values.topk(min(k + 1, candidates))  # (batch, k + 1): whether the k-th is tied
    tied = (largest[:, 1:] == largest[:, :-1]) & (largest[:, 1:] > -math.inf)  # (batch, k)
    if not tied.any():
        return largest[:, :k], index[:, :k]
    # topk leaves open which of equal values it takes, and in what order.
    last = largest[:, k - 1 : k]  # (batch, 1)
    # (batch, candidates): 2 above the last, 1 where equal to it; no two are equal in `order`
    group = (values > last).long() + (values >= last).long()
    order = group * candidates - torch.arange(candidates, device=values.device)
    index = order.topk(k).indices  # (batch, k)
    largest, ranks = values.gather(1, index).sort(dim=1, descending=True, stable=True)
    return largest, index.gather(1, ranks)


def _merged(
    finished: Hypotheses,
    sequences: Int[Tensor, "rows time"],
    log_probs: Float[Tensor, "batch beams"],
    ended: Bool[Tensor, "batch beams"],
    length: int,
    factor: float,
) -> Hypotheses:
    """The best of those that had ``finished`` and that ``ended`` now; the former go first among equals."""
    new_scores = (log_probs / factor).masked_fill(~ended, -math.inf)
    # (batch, n_best + beams) each
    scores, order = torch.cat([finished.scores, new_scores], dim=1).sort(dim=1, descending=True, stable=True)
    order = order[:, : finished.scores.shape[1]]  # (batch, n_best)
    new_sequences = sequences.view(*log_probs.shape, -1)  # (batch, beams, time)
    all_sequences = torch.cat([finished.sequences, new_sequences], dim=1)  # (batch, n_best + beams, time)
    all_lengths = torch.cat([finished.lengths, torch.full_like(new_sequences[..., 0], length)], dim=1)
    return Hypotheses(
        sequences=all_sequences.gather(1, order[..., None].expand(-1, -1, all_sequences.shape[2])),
        lengths=all_lengths.gather(1, order),
        scores=scores[:, : order.shape[1]],
        log_probs=torch.cat([finished.log_probs, log_probs], dim=1).gather(1, order),
    )
