"""What one sum costs in its different forms, by the length of the text: an experiment of chapter 16.

The ablated LSTM is computed step by step, by the scan, and as the sum over all pairs of places. Linear
attention is computed as a memory and as attention, beside attention with a softmax. Weights are the same in
all forms of a layer; the forms take turns.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.running.timing import take_turns, threads_of
from transformer_lib.recurrent.cells import AblatedLSTMLayer, AblatedLSTMState, memory_weights
from transformer_lib.recurrent.linear_attention import LinearAttention

__all__ = ["EXPERIMENT", "FORMS", "LENGTHS", "forms", "measure"]

LENGTHS, WIDTH, HEADS, REPEATS = (16, 64, 256, 1024), 64, 2, 3
FORMS = ("LSTM, loop", "LSTM, scan", "LSTM, sum", "linear, memory", "linear, attention", "softmax")


def forms(seed: int, width: int = WIDTH) -> dict[str, Callable[[Tensor], Tensor]]:
    """Functions from one text of vectors to the outputs at each place."""
    generator = torch.Generator().manual_seed(seed)
    lstm = AblatedLSTMLayer(width, bias=True, activation="tanh", generator=generator)
    linear = LinearAttention(width, HEADS, generator=generator)

    def zero(x: Tensor) -> AblatedLSTMState:
        return AblatedLSTMState(x.new_zeros(len(x), width))

    def summed(x: Tensor) -> Tensor:
        trace = lstm.trace(x, zero(x))
        w = memory_weights(trace.input_gate, trace.forget_gate)
        return torch.einsum("btsd,bsd->btd", w, trace.candidate).tanh()

    def softmax(x: Tensor) -> Tensor:
        query, key, value = (
            part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in linear.inputs(x).chunk(3, dim=-1)
        )
        attended = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        return linear.output(attended.transpose(1, 2).flatten(2))

    ways: tuple[Callable[[Tensor], Tensor], ...] = (
        lambda x: _by_steps(lstm.step, x, zero(x)),
        lambda x: lstm(x, zero(x))[0],
        summed,
        lambda x: _by_steps(linear.step, x, linear.init_state(len(x))),
        linear,
        softmax,
    )
    return dict(zip(FORMS, ways, strict=True))


def _by_steps(step: Callable[[Tensor, Any], tuple[Tensor, Any]], x: Tensor, state: Any) -> Tensor:
    outputs = []
    for x_t in x.unbind(1):
        output, state = step(x_t, state)
        outputs.append(output)
    return torch.stack(outputs, dim=1)


def measure(
    seed: int,
    folder: Path | None = None,
    *,
    threads: int = 1,
    lengths: tuple[int, ...] = LENGTHS,
    repeats: int = REPEATS,
) -> dict[str, Any]:
    """Microseconds per place of a forward and a backward pass, by length and form; and differences.

    ``different`` is the largest difference of the outputs of two forms of a layer at the greatest length, in
    double precision.
    """
    made, result = forms(seed), {}
    with threads_of(threads):
        for length in lengths:
            x = torch.randn(1, length, WIDTH, generator=torch.Generator().manual_seed(length))
            runs = {name: _prepared(form, x) for name, form in made.items()}
            if length > 256:
                del runs["LSTM, sum"]  # its weights would fill gigabytes
            seconds = take_turns(runs, repeats, seed)
            result[str(length)] = {name: round(1e6 * taken / length, 3) for name, taken in seconds.items()}
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        exact, x = forms(seed), torch.randn(1, max(lengths), WIDTH)
        with torch.no_grad():
            outputs = {name: exact[name](x) for name in FORMS if name != "LSTM, sum"}
    finally:
        torch.set_default_dtype(before)
    result["different"] = {
        "LSTM": (outputs["LSTM, loop"] - outputs["LSTM, scan"]).abs().max().item(),
        "linear": (outputs["linear, memory"] - outputs["linear, attention"]).abs().max().item(),
    }
    return result


def _prepared(form: Callable[[Tensor], Tensor], x: Tensor) -> Callable[[], Callable[[], object]]:
    inputs = x.clone().requires_grad_()

    def run() -> None:
        inputs.grad = None
        form(inputs).square().sum().backward()

    return lambda: run


EXPERIMENT = Experiment(
    name="form-times",
    is_timed=True,
    chapter=16,
    description="time per place of one weighted sum, by step, by scan and over all pairs of places",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"lengths": LENGTHS, "width": WIDTH, "heads": HEADS, "repeats": REPEATS},
    data=lambda: {"name": "random vectors"},
    conditions=({"threads": 1},),
)
