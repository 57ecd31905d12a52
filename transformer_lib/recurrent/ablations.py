r"""An LSTM layer with some of its parts taken away, one by one: the ablations of Levy et al. (2018).

Chapter 16 asks which parts an LSTM needs. All forms keep the one sum that the chapter is about,
:math:`c_t = i_t \circ \tilde c_t + f_t \circ c_{t-1}`, and all of them run on PyTorch's kernel: a recurrence
is taken away by zeros in its matrix, the output gate by a bias at which the logistic function is exactly 1.
"""

from collections.abc import Collection

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.activations import ACTIVATIONS
from transformer_lib.checks import check_choice
from transformer_lib.recurrent.cells import LSTMLayer, LSTMState

__all__ = ["PARTS", "PartialLSTMLayer"]

PARTS = ("content", "gates", "output")
"""What can be taken away: the candidate's recurrence, that of the gates, and the output gate."""

OPEN = 100.0
"""A bias whose logistic is 1 in double precision."""


class PartialLSTMLayer(LSTMLayer):
    r"""An LSTM layer without some of its :data:`PARTS`.

    Without ``content`` the candidate is :math:`\phi(W_c x_t)`; without ``gates`` each gate sees
    :math:`x_t` alone; without ``output`` all of the memory is shown. Without all three it is the note's
    ablated LSTM. The width stays, so a smaller form has fewer parameters; :meth:`n_parameters` counts those
    that are left.

    Parameters
    ----------
    d_model
        The width.
    without
        The parts that are taken away.
    forget_bias
        Where the biases of the forget gates start.
    generator
        The source of the initial weights.

    Raises
    ------
    ValueError
        If there is no such part.

    Source: N13, N14, N15, N16, N17, N18, N20, N21; Levy et al. (2018)
    """

    def __init__(
        self,
        d_model: int,
        *,
        without: Collection[str] = (),
        forget_bias: float = 1.0,
        activation: str = "tanh",
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__(d_model, bias=True, activation=activation, generator=generator)
        for part in without:
            check_choice("part", part, PARTS)
        self.without = frozenset(without)
        bias = self.kernel.get_parameter("bias_ih_l0").detach()
        nn.init.constant_(bias[d_model : 2 * d_model], forget_bias)
        # The kernel stacks the rows of input gate, forget gate, candidate and output gate.
        cut = torch.tensor([part in self.without for part in ("gates", "gates", "content", "gates")])
        cut[3] |= "output" in self.without
        shown = torch.tensor([True, True, True, "output" not in self.without])
        self.register_buffer("recurrent", (~cut).repeat_interleave(d_model).float(), persistent=False)
        self.register_buffer("present", shown.repeat_interleave(d_model).float(), persistent=False)

    def n_parameters(self) -> int:
        """How many weights and biases the remaining parts have; the two biases of a row count as one."""
        d = self.kernel.hidden_size
        rows, recurrent = int(self.get_buffer("present").sum()), int(self.get_buffer("recurrent").sum())
        return rows * (d + 1) + recurrent * d

    def forward(
        self, x: Float[Tensor, "batch time d_model"], state: LSTMState
    ) -> tuple[Float[Tensor, "batch time d_model"], LSTMState]:
        """The outputs :math:`h_t` of each step, and the last state."""
        if self.activation != "tanh" or x.shape[1] == 0:
            return super().forward(x, state)
        initial = [part[None] for part in state]
        hidden, *last = torch.lstm(x, initial, self._left(), True, 1, 0.0, self.training, False, True)
        return hidden, LSTMState(*(part[0] for part in last))

    def step(
        self, x: Float[Tensor, "batch d_model"], state: LSTMState
    ) -> tuple[Float[Tensor, "batch d_model"], LSTMState]:
        """One step of the cell."""
        candidate, enter, forget, output = self._gates(x, state.hidden)
        cell = enter * candidate + forget * state.cell
        hidden = output * ACTIVATIONS[self.activation](cell)
        return hidden, LSTMState(hidden, cell)

    def _left(self) -> list[Tensor]:
        """Matrices and biases of the parts that are left."""
        recurrent, present = self.get_buffer("recurrent"), self.get_buffer("present")
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        input_weight, hidden_weight, input_bias, hidden_bias = map(self.kernel.get_parameter, names)
        return [
            input_weight * present[:, None],
            hidden_weight * recurrent[:, None],
            input_bias * present + OPEN * (1 - present),
            hidden_bias * present,
        ]

    def _gates(self, x: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        input_weight, hidden_weight, input_bias, hidden_bias = self._left()
        total = F.linear(x, input_weight, input_bias) + F.linear(hidden, hidden_weight, hidden_bias)
        enter, forget, candidate, output = total.chunk(4, dim=-1)
        candidate = ACTIVATIONS[self.activation](candidate)
        return candidate, enter.sigmoid(), forget.sigmoid(), output.sigmoid()
