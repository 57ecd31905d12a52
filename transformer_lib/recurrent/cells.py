r"""Recurrent layers: one step of each cell, and many steps at once.

A layer has two forms of the same function: ``forward`` reads a sequence, by PyTorch's fused kernel if there
is one, and ``step`` reads one input, for sampling. States are named tuples of tensors with the batch first,
so that :func:`~transformer_lib.interfaces.select_rows` can re-order them. Chapter 4 teaches the cells;
chapter 16 reads the LSTM's memory as a weighted sum, with the weights of :func:`memory_weights`.
"""

from typing import Any, NamedTuple, cast

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lib.activations import ACTIVATIONS
from transformer_lib.initialization import projection

__all__ = [
    "AblatedLSTMLayer",
    "AblatedLSTMState",
    "GateTrace",
    "LSTMLayer",
    "LSTMState",
    "RNNLayer",
    "RNNState",
    "RecurrentStack",
    "linear_recurrence",
    "memory_weights",
    "recurrent_kernel",
]


class RNNState(NamedTuple):
    """What a plain recurrent layer carries: its output :math:`h`."""

    hidden: Float[Tensor, "batch d_model"]


class LSTMState(NamedTuple):
    """What an LSTM layer carries: its output :math:`h` and its memory :math:`c`."""

    hidden: Float[Tensor, "batch d_model"]
    cell: Float[Tensor, "batch d_model"]


class AblatedLSTMState(NamedTuple):
    """What an ablated LSTM layer carries: its memory :math:`c`."""

    cell: Float[Tensor, "batch d_model"]


State = tuple[RNNState, ...] | tuple[LSTMState, ...] | tuple[AblatedLSTMState, ...]
"""The state of each layer."""


class GateTrace(NamedTuple):
    """What an LSTM layer computes at each step; the ablated LSTM's ``output_gate`` is 1 throughout."""

    candidate: Float[Tensor, "batch time d_model"]
    input_gate: Float[Tensor, "batch time d_model"]
    forget_gate: Float[Tensor, "batch time d_model"]
    cell: Float[Tensor, "batch time d_model"]
    output_gate: Float[Tensor, "batch time d_model"]
    hidden: Float[Tensor, "batch time d_model"]


class RNNLayer(nn.Module):
    r"""A plain recurrent layer: :math:`h_t = \phi(W_x x_t + W_h h_{t-1} + c)`.

    With tanh, the whole sequence is read by PyTorch's kernel.

    Source: S20, N13
    """

    state_class = RNNState

    def __init__(
        self, d_model: int, *, bias: bool, activation: str, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.activation = activation
        self.kernel = recurrent_kernel(nn.RNN, d_model, d_model, bias=bias, generator=generator)

    def forward(
        self, x: Float[Tensor, "batch time d_model"], state: RNNState
    ) -> tuple[Float[Tensor, "batch time d_model"], RNNState]:
        """The states after each step, and the last of them."""
        if self.activation != "tanh" or x.shape[1] == 0:
            return _unroll(self, x, state)
        hidden, last = self.kernel(x, state.hidden[None])
        return hidden, RNNState(last[0])

    def step(
        self, x: Float[Tensor, "batch d_model"], state: RNNState
    ) -> tuple[Float[Tensor, "batch d_model"], RNNState]:
        """One step of the cell."""
        if self.activation == "tanh":
            hidden = torch.rnn_tanh_cell(x, state.hidden, *_weights(self.kernel))
        else:
            total = _preactivation(self.kernel, x, state.hidden)
            hidden = ACTIVATIONS[self.activation](total)
        return hidden, RNNState(hidden)


class LSTMLayer(nn.Module):
    r"""An LSTM layer: gates decide what enters the memory, what stays in it, and what it shows.

    .. math::
        c_t = i_t \circ \tilde c_t + f_t \circ c_{t-1}, \qquad h_t = o_t \circ \phi(c_t)

    With tanh, the whole sequence is read by PyTorch's kernel.

    Source: N13, N14, N15, N16, N17, N18
    """

    state_class = LSTMState

    def __init__(
        self, d_model: int, *, bias: bool, activation: str, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.activation = activation
        self.kernel = recurrent_kernel(nn.LSTM, d_model, d_model, bias=bias, generator=generator)

    def forward(
        self, x: Float[Tensor, "batch time d_model"], state: LSTMState
    ) -> tuple[Float[Tensor, "batch time d_model"], LSTMState]:
        """The outputs :math:`h_t` of each step, and the last state."""
        if self.activation != "tanh" or x.shape[1] == 0:
            return _unroll(self, x, state)
        hidden, last = self.kernel(x, tuple(part[None] for part in state))
        return hidden, LSTMState(*(part[0] for part in last))

    def step(
        self, x: Float[Tensor, "batch d_model"], state: LSTMState
    ) -> tuple[Float[Tensor, "batch d_model"], LSTMState]:
        """One step of the cell."""
        if self.activation == "tanh":
            hidden, cell = torch.lstm_cell(x, state, *_weights(self.kernel))
        else:
            candidate, enter, forget, output = self._gates(x, state.hidden)
            cell = enter * candidate + forget * state.cell
            hidden = output * ACTIVATIONS[self.activation](cell)
        return hidden, LSTMState(hidden, cell)

    def trace(self, x: Float[Tensor, "batch time d_model"], state: LSTMState) -> GateTrace:
        """All that the layer computes at each step: the gates again, in parallel, from its outputs."""
        hidden, _ = self(x, state)
        previous = torch.cat([state.hidden[:, None], hidden], dim=1)[:, :-1]
        candidate, enter, forget, output = self._gates(x, previous)
        cell = linear_recurrence(forget, enter * candidate, state.cell)
        return GateTrace(candidate, enter, forget, cell, output, hidden)

    def _gates(self, x: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        parts = _preactivation(self.kernel, x, hidden).chunk(4, dim=-1)
        enter, forget, candidate, output = parts
        candidate = ACTIVATIONS[self.activation](candidate)
        return candidate, enter.sigmoid(), forget.sigmoid(), output.sigmoid()


class AblatedLSTMLayer(nn.Module):
    r"""An LSTM layer whose candidate and gates see the input alone, and that shows all of its memory.

    .. math::
        \tilde c_t = \phi(W_c x_t), \quad i_t = \sigma(W_i x_t), \quad f_t = \sigma(W_f x_t), \quad
        c_t = i_t \circ \tilde c_t + f_t \circ c_{t-1}, \quad h_t = \phi(c_t)

    Only the last recurrence is left, and it is linear: all steps are computed at once.

    Source: N20, N21; Levy et al. (2018)
    """

    state_class = AblatedLSTMState

    def __init__(
        self, d_model: int, *, bias: bool, activation: str, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.activation = activation
        self.gates = projection(d_model, 3 * d_model, bias=bias, generator=generator)
        if bias:
            nn.init.ones_(self.gates.bias.detach()[2 * d_model :])

    def forward(
        self, x: Float[Tensor, "batch time d_model"], state: AblatedLSTMState
    ) -> tuple[Float[Tensor, "batch time d_model"], AblatedLSTMState]:
        """The outputs :math:`h_t` of each step, and the last memory."""
        trace = self.trace(x, state)
        last = torch.cat([state.cell[:, None], trace.cell], dim=1)[:, -1]
        return trace.hidden, AblatedLSTMState(last)

    def step(
        self, x: Float[Tensor, "batch d_model"], state: AblatedLSTMState
    ) -> tuple[Float[Tensor, "batch d_model"], AblatedLSTMState]:
        """One step of the cell."""
        candidate, enter, forget = self._gates(x)
        cell = enter * candidate + forget * state.cell
        return ACTIVATIONS[self.activation](cell), AblatedLSTMState(cell)

    def trace(self, x: Float[Tensor, "batch time d_model"], state: AblatedLSTMState) -> GateTrace:
        """All that the layer computes at each step."""
        candidate, enter, forget = self._gates(x)
        cell = linear_recurrence(forget, enter * candidate, state.cell)
        hidden = ACTIVATIONS[self.activation](cell)
        return GateTrace(candidate, enter, forget, cell, torch.ones_like(cell), hidden)

    def _gates(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        candidate, enter, forget = self.gates(x).chunk(3, dim=-1)
        return ACTIVATIONS[self.activation](candidate), enter.sigmoid(), forget.sigmoid()


RecurrentLayer = RNNLayer | LSTMLayer | AblatedLSTMLayer


class RecurrentStack(nn.Module):
    """Layers of one kind on top of each other; the state is a tuple of theirs.

    Parameters
    ----------
    layer_class
        :class:`RNNLayer`, :class:`LSTMLayer` or :class:`AblatedLSTMLayer`.
    d_model, n_layers
        The width of everything, and the number of layers.
    bias, activation
        As the layers have them.
    dropout
        The probability of dropping an input of a layer during training, never one step's state on its way to
        the next (Zaremba et al., 2014).
    learned_initial_state
        Whether :meth:`init_state` is a parameter; otherwise it is zero.
    generator
        The source of the initial weights.

    Source: S19 for the initial state
    """

    def __init__(
        self,
        layer_class: type[RecurrentLayer],
        d_model: int,
        n_layers: int,
        *,
        bias: bool = True,
        activation: str = "tanh",
        dropout: float = 0.0,
        learned_initial_state: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        shared: dict[str, Any] = {"bias": bias, "activation": activation, "generator": generator}
        layers = [layer_class(d_model, **shared) for _ in range(n_layers)]
        self.layers = cast(list[Any], nn.ModuleList(layers))
        self.dropout = nn.Dropout(dropout)
        self.state_shape = (n_layers, len(layer_class.state_class._fields), d_model)
        self.initial = nn.Parameter(torch.zeros(self.state_shape)) if learned_initial_state else None

    def init_state(self, batch_size: int) -> State:
        """The state in which nothing has been read."""
        initial: Tensor | None = self.initial
        if initial is None:
            weight = next(self.parameters())
            initial = torch.zeros(self.state_shape, dtype=weight.dtype, device=weight.device)
        rows = [[part.expand(batch_size, -1).contiguous() for part in layer] for layer in initial]
        return tuple(layer.state_class(*parts) for layer, parts in zip(self.layers, rows))

    def forward(
        self, x: Float[Tensor, "batch time d_model"], state: State
    ) -> tuple[Float[Tensor, "batch time d_model"], State]:
        """The last layer's outputs, and the state after the last step."""
        after = []
        for layer, layer_state in zip(self.layers, state, strict=True):
            x, layer_state = layer(self.dropout(x), layer_state)
            after.append(layer_state)
        return x, tuple(after)

    def step(
        self, x: Float[Tensor, "batch d_model"], state: State
    ) -> tuple[Float[Tensor, "batch d_model"], State]:
        """One step of every layer."""
        after = []
        for layer, layer_state in zip(self.layers, state, strict=True):
            x, layer_state = layer.step(self.dropout(x), layer_state)
            after.append(layer_state)
        return x, tuple(after)

    def trace(self, x: Float[Tensor, "batch time d_model"], state: State, layer: int = -1) -> GateTrace:
        """What LSTM layer number ``layer``, counted as in a list, computes at each step."""
        number = range(len(self.layers))[layer]
        for below, layer_state in zip(self.layers[:number], state):
            x, _ = below(self.dropout(x), layer_state)
        traced = self.layers[number]
        if isinstance(traced, RNNLayer):
            raise ValueError("a plain recurrent layer has no gates to trace")
        return traced.trace(self.dropout(x), state[number])


def linear_recurrence(
    factor: Float[Tensor, "batch time d_model"],
    term: Float[Tensor, "batch time d_model"],
    initial: Float[Tensor, "batch d_model"],
) -> Float[Tensor, "batch time d_model"]:
    r""":math:`c_t = f_t \circ c_{t-1} + u_t` for all :math:`t`, in :math:`\lceil \log_2 T \rceil` rounds.

    Two neighboring stretches of time compose: :math:`(f, u)` and then :math:`(f', u')` are
    :math:`(f' f, f' u + u')`. Each round doubles the stretch that ends at every step. Nothing is divided and
    no logarithm is taken, so that factors near 0 lose no precision.

    Source: N16, N21; Hillis and Steele (1986) for the rounds
    """
    stretch = 1
    while stretch < term.shape[1]:
        late = factor[:, stretch:]
        term = torch.cat([term[:, :stretch], term[:, stretch:] + late * term[:, :-stretch]], dim=1)
        factor = torch.cat([factor[:, :stretch], late * factor[:, :-stretch]], dim=1)
        stretch *= 2
    return term + factor * initial[:, None]


def memory_weights(
    input_gate: Float[Tensor, "batch time d_model"], forget_gate: Float[Tensor, "batch time d_model"]
) -> Float[Tensor, "batch time time d_model"]:
    r"""Weights of what was written to the memory: :math:`w_{t,s} = i_s \prod_{k=s+1}^t f_k` for s up to t.

    With :math:`c_0 = 0` the memory is exactly :math:`c_t = \sum_s w_{t,s} \circ \tilde c_s`; otherwise
    :math:`\big(\prod_{k \le t} f_k\big) \circ c_0` is to be added. The gates of any LSTM here come from its
    ``trace``. In the result ``[:, t, s]`` is :math:`w_{t,s}`.

    Source: N18a, N19
    """
    weights = torch.diag_embed(input_gate.mT).movedim(1, -1)
    rows: list[Tensor] = []
    for t, row in enumerate(weights.unbind(dim=1)):
        rows.append(row + forget_gate[:, t, None] * rows[-1] if rows else row)
    return torch.stack(rows, dim=1) if rows else weights


def recurrent_kernel(
    kernel_class: type[nn.RNN | nn.LSTM],
    d_in: int,
    d_hidden: int,
    *,
    bias: bool = True,
    generator: torch.Generator | None = None,
    **options: Any,
) -> nn.RNNBase:
    r"""PyTorch's ``nn.RNN`` or ``nn.LSTM``, batch first, its weights uniform within :math:`\pm 1 / \sqrt{d}`.

    The biases are zero, but for an LSTM's forget gates, which start nearly open (Jozefowicz et al., 2015).
    """
    kernel = kernel_class(d_in, d_hidden, bias=bias, batch_first=True, device="meta", **options)
    kernel = kernel.to_empty(device=torch.get_default_device())
    bound = d_hidden**-0.5
    with torch.no_grad():
        for name, parameter in kernel.named_parameters():
            if "bias" not in name:
                nn.init.uniform_(parameter, -bound, bound, generator=generator)
                continue
            parameter.zero_()
            if isinstance(kernel, nn.LSTM) and "bias_ih" in name:
                parameter[d_hidden : 2 * d_hidden] = 1.0
    return kernel


def _weights(kernel: nn.RNNBase) -> tuple[Any, Any, Any, Any]:
    if not kernel.bias:
        return kernel.weight_ih_l0, kernel.weight_hh_l0, None, None
    return kernel.weight_ih_l0, kernel.weight_hh_l0, kernel.bias_ih_l0, kernel.bias_hh_l0


def _preactivation(kernel: nn.RNNBase, x: Tensor, hidden: Tensor) -> Tensor:
    input_weight, hidden_weight, input_bias, hidden_bias = _weights(kernel)
    return F.linear(x, input_weight, input_bias) + F.linear(hidden, hidden_weight, hidden_bias)


def _unroll(layer: Any, x: Tensor, state: Any) -> tuple[Tensor, Any]:
    outputs = []
    for x_t in x.unbind(dim=1):
        output, state = layer.step(x_t, state)
        outputs.append(output)
    return torch.stack(outputs, dim=1) if outputs else x, state
