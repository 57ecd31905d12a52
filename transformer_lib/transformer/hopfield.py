r"""The modern Hopfield network: a memory whose retrieval is attention.

Patterns are stored by keeping them. A state moves towards the patterns it resembles, and one step of that is
one head of attention whose keys and values are the patterns.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lib.checks import check_above_zero, check_not_negative
from transformer_lib.transformer.attention import attention

__all__ = ["hopfield_energy", "hopfield_retrieve"]


def hopfield_retrieve(
    state: Float[Tensor, "*batch states d"],
    patterns: Float[Tensor, "*batch patterns d"],
    beta: float,
    n_steps: int = 1,
) -> Float[Tensor, "*batch states d"]:
    r"""``n_steps`` times :math:`\xi \leftarrow X^\top \mathrm{softmax}(\beta X \xi)`, for each state alone.

    Parameters
    ----------
    state
        The states :math:`\xi` to begin with, as rows.
    patterns
        The stored patterns: the rows of :math:`X`.
    beta
        The inverse temperature. The larger, the fewer patterns a state is drawn to.
    n_steps
        How often the states are updated; 0 leaves them as they are.

    Raises
    ------
    ValueError
        If there is no pattern, ``beta`` is not positive and finite, or ``n_steps`` is negative.

    Source: Ramsauer et al. (2021), equation (3)
    """
    _check(patterns, beta)
    check_not_negative(n_steps=n_steps)
    for _ in range(n_steps):
        state = attention(state, patterns, patterns, scale=beta)
    return state


def hopfield_energy(
    state: Float[Tensor, "*batch states d"], patterns: Float[Tensor, "*batch patterns d"], beta: float
) -> Float[Tensor, "*batch states"]:
    r"""The energy of each state, which no update raises, and which is at least 0.

    .. math::
        E(\xi) = -\frac{1}{\beta} \log \sum_{i=1}^N e^{\beta \langle x_i, \xi \rangle}
        + \frac{1}{2} \lVert \xi \rVert^2 + \frac{1}{\beta} \log N + \frac{1}{2} \max_i \lVert x_i \rVert^2

    Its gradient is :math:`\xi` minus the updated :math:`\xi`, so that the states which an update leaves alone
    are those where the energy is flat.

    Raises
    ------
    ValueError
        If there is no pattern, or ``beta`` is not positive and finite.

    Source: Ramsauer et al. (2021), equation (2)
    """
    _check(patterns, beta)
    smooth_maximum = torch.logsumexp(beta * state @ patterns.mT, dim=-1) / beta
    longest = patterns.square().sum(-1).amax(-1, keepdim=True)
    shift = math.log(patterns.shape[-2]) / beta + longest / 2
    return state.square().sum(-1) / 2 - smooth_maximum + shift


def _check(patterns: Tensor, beta: float) -> None:
    if patterns.shape[-2] == 0:
        raise ValueError("there is no pattern to retrieve: give at least one")
    check_above_zero("beta", beta)
