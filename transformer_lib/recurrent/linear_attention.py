r"""Linear attention: one function that can be computed as attention or as a recurrent network.

Chapter 16 ends with it. The weights of an LSTM come from its gates, those of attention from a query. Here
they come from both, and :meth:`LinearAttention.forward` computes all places at once, as attention does, while
:meth:`LinearAttention.step` carries a memory of fixed size, as an LSTM does.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.checks import check_whole
from transformer_lib.initialization import projection

__all__ = ["LinearAttention", "LinearMemory", "decay", "positive_features"]


class LinearMemory(NamedTuple):
    """What linear attention carries: a matrix for each head, and the sum of its keys."""

    matrix: Float[Tensor, "batch heads key value"]
    keys: Float[Tensor, "batch heads key"]


def positive_features(x: Tensor) -> Tensor:
    r"""Features that are never negative: :math:`\phi(x) = \mathrm{elu}(x) + 1`."""
    return torch.where(x > 0, x + 1, x.clamp(max=0).exp())


def decay(log_forget: Float[Tensor, "*batch time"]) -> Float[Tensor, "*batch time time"]:
    r"""What is left at t of what was written at s: :math:`\prod_{r=s+1}^t f_r`, and 0 for s after t.

    It takes the gates' logarithms, and adds them up for each s by itself: a difference of two sums would lose
    its digits behind a gate that is nearly closed.
    """
    later = torch.ones(2 * log_forget.shape[-1:], dtype=torch.bool, device=log_forget.device).tril(-1)
    left = log_forget[..., :, None].where(later, 0.0).cumsum(-2)
    return left.exp().tril()


class LinearAttention(nn.Module):
    r"""Causal linear attention with several heads, with or without forget gates.

    .. math::
        S_t = f_t S_{t-1} + \phi(k_t) v_t^T, \quad z_t = f_t z_{t-1} + \phi(k_t), \quad
        y_t = \frac{S_t^T \phi(q_t)}{\langle z_t, \phi(q_t) \rangle}

    Parameters
    ----------
    d_model, n_heads
        The width, and the number of heads that share it.
    gated
        Whether each head has a forget gate, :math:`f_t = \sigma(w_f^T x_t + b)`, nearly open at the start;
        otherwise it is 1 and nothing is forgotten.
    generator
        The source of the initial weights.

    Raises
    ------
    ValueError
        If the heads do not divide the width.

    Source: Katharopoulos et al. (2020); Yang et al. (2024) for the gates
    """

    OPEN = 4.0

    def __init__(
        self, d_model: int, n_heads: int = 1, *, gated: bool = True, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        check_whole("d_model", d_model, least=1)
        check_whole("n_heads", n_heads, least=1)
        if d_model % n_heads:
            raise ValueError(f"n_heads must divide d_model; got {n_heads} and {d_model}")
        self.n_heads = n_heads
        self.inputs = projection(d_model, 3 * d_model, bias=False, generator=generator)
        self.output = projection(d_model, d_model, bias=False, generator=generator)
        self.forget = None
        if gated:
            self.forget = projection(d_model, n_heads, bias=True, generator=generator)
            nn.init.constant_(self.forget.bias.detach(), self.OPEN)

    def init_state(self, batch_size: int) -> LinearMemory:
        """The memory in which nothing has been written."""
        weight = self.inputs.weight
        width = weight.shape[1] // self.n_heads
        return LinearMemory(
            weight.new_zeros(batch_size, self.n_heads, width, width),
            weight.new_zeros(batch_size, self.n_heads, width),
        )

    def weights(self, x: Float[Tensor, "batch time d_model"]) -> Float[Tensor, "batch heads time time"]:
        """How much each place reads of each earlier one; rows sum to 1."""
        query, key, _, log_forget = self._parts(x)
        read = (query @ key.mT) * decay(log_forget)
        return read / read.sum(-1, keepdim=True)

    def forward(self, x: Float[Tensor, "batch time d_model"]) -> Float[Tensor, "batch time d_model"]:
        """All places at once, from an empty memory: as many products as there are pairs of places."""
        value = self._parts(x)[2]
        return self.output((self.weights(x) @ value).transpose(1, 2).flatten(2))

    def step(
        self, x: Float[Tensor, "batch d_model"], state: LinearMemory
    ) -> tuple[Float[Tensor, "batch d_model"], LinearMemory]:
        """One place, and the memory after it: the same work at every place."""
        query, key, value, log_forget = (part[:, :, 0] for part in self._parts(x[:, None]))
        forget = log_forget.exp()
        matrix = forget[..., None, None] * state.matrix + key[..., :, None] * value[..., None, :]
        keys = forget[..., None] * state.keys + key
        read = (query[..., None, :] @ matrix)[..., 0, :]
        heads = read / (query * keys).sum(-1, keepdim=True)
        return self.output(heads.flatten(1)), LinearMemory(matrix, keys)

    def _parts(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Features of queries and keys, values, (batch, heads, time, width) each, and log f."""
        query, key, value = (
            part.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for part in self.inputs(x).chunk(3, dim=-1)
        )
        if self.forget is None:
            log_forget = x.new_zeros(x.shape[0], self.n_heads, x.shape[1])
        else:
            log_forget = F.logsigmoid(self.forget(x)).mT
        return positive_features(query), positive_features(key), value, log_forget
