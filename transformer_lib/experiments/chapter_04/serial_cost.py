"""What a token costs in training and in sampling, by the length of the text: experiments of chapter 4.

Three language models with equally many parameters are compared: a plain recurrent network and an LSTM of one
layer, and a causal Transformer. Work and the length of its serial chain are counted; time is measured, the
models taking turns.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.experiments.running.timing import take_turns, threads_of
from transformer_lib.interfaces import SequenceModel
from transformer_lib.recurrent.language_model import LSTM, RNN, RecurrentConfig, RecurrentModel
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

__all__ = [
    "EXPERIMENT",
    "LENGTHS",
    "LOOPED",
    "MODELS",
    "SIZES",
    "build",
    "measure",
    "multiplications",
    "serial_products",
]

VOCAB_SIZE = 192
MODELS = ("RNN", "LSTM", "Transformer")
LOOPED = "LSTM, looped"
"""The LSTM without oneDNN, whose kernel reads the whole text: PyTorch then loops over the tokens."""

SIZES: dict[str, dict[str, Any]] = {
    "small": {"RNN": 140, "LSTM": 78, "Transformer": {"d_model": 48, "n_heads": 4, "n_layers": 2}},
    "large": {"RNN": 374, "LSTM": 198, "Transformer": {"d_model": 96, "n_heads": 4, "n_layers": 3}},
}
"""The widths of the recurrent models, and the shape of the Transformer, by size."""

LENGTHS = (16, 64, 256, 1024)
TOKENS = LENGTHS[-1]
REPEATS, SAMPLED = 3, 8

# PyTorch's counter does not know its fused attention for CPUs; both products are counted whole, as it counts
# those of the other fused kernels.
ATTENTION = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
PRODUCTS = {"MmBackward0": 1, "AddmmBackward0": 1, "BmmBackward0": 1}
PRODUCTS["ScaledDotProductFlashAttentionForCpuBackward0"] = 2


def build(name: str, size: str = "small", seed: int = 0) -> SequenceModel:
    """One of the ``MODELS``, with random weights and room for the longest of the ``LENGTHS``."""
    shape, generator = SIZES[size][name], torch.Generator().manual_seed(seed)
    if name == "Transformer":
        config = TransformerConfig(
            vocab_size=VOCAB_SIZE, context_length=LENGTHS[-1] + SAMPLED, positions="sinusoidal", **shape
        )
        return DecoderLM(config, generator=generator)
    model_class = {"RNN": RNN, "LSTM": LSTM}[name]
    return model_class(RecurrentConfig(vocab_size=VOCAB_SIZE, d_model=shape), generator=generator)


def draw(n: int, length: int) -> Int[Tensor, "n length"]:
    """Random tokens."""
    return torch.randint(VOCAB_SIZE, (n, length), generator=torch.Generator().manual_seed(0))


def unrolled(model: SequenceModel, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch vocab"]:
    """The logits after the last token; a recurrent model reads one token at a time, by PyTorch's basic parts.

    Its kernel for whole sequences does the same work out of sight of whoever counts.
    """
    if not isinstance(model, RecurrentModel):
        return model.logits(tokens)[:, -1]
    state = model.init_state(len(tokens))
    for token in tokens.unbind(1):
        logits, state = model.step(token, state)
    return logits


@torch.no_grad()
def multiplications(model: SequenceModel, length: int, *, sampling: bool = False) -> int:
    """Multiplications in the matrix products of a text of so many tokens; with ``sampling``, of one more.

    A head for every token is included, and attention counts the scores of every pair.
    """
    tokens = draw(1, length)
    counter = FlopCounterMode(display=False, custom_mapping={ATTENTION: _attention_flops})
    if sampling:
        _, state = model.read(tokens, model.init_state(1))
        with counter:
            model.step(tokens[:, 0], state)
    else:
        with counter:
            unrolled(model, tokens) if isinstance(model, RecurrentModel) else model.logits(tokens)
    return counter.get_total_flops() // 2


def _attention_flops(query: Any, key: Any, value: Any, *_: Any, **options: Any) -> int:
    batch, heads, queries, width = query
    return 2 * batch * heads * queries * key[2] * (width + value[3])


def serial_products(output: Float[Tensor, ""]) -> int:
    """The largest number of matrix products that wait for one another in what ``output`` came from.

    It is the longest path through the graph that autograd has kept.
    """
    longest: dict[Any, int] = {}
    waiting: list[Any] = [output.grad_fn]
    while waiting:
        node = waiting[-1]
        before = [n for n, _ in node.next_functions if n is not None]
        unknown = [n for n in before if n not in longest]
        if unknown:
            waiting.extend(unknown)
            continue
        waiting.pop()
        wait = max((longest[n] for n in before), default=0)
        longest[node] = wait + PRODUCTS.get(node.name(), 0)
    return longest[output.grad_fn]


def training(
    model: SequenceModel, batch: int, length: int, *, onednn: bool = True
) -> Callable[[], Callable[[], object]]:
    """A forward and a backward pass over ``batch`` texts of ``length`` tokens."""
    tokens = draw(batch, length + 1)
    inputs, targets = tokens[:, :-1], tokens[:, 1:].flatten()

    def run() -> None:
        model.zero_grad()
        with _onednn(onednn):
            F.cross_entropy(model.logits(inputs).flatten(0, 1), targets).backward()

    return lambda: run


def sampling(model: SequenceModel, length: int) -> Callable[[], Callable[[], object]]:
    """A few tokens, one at a time, behind a text of ``length`` tokens that has been read."""
    tokens = draw(1, length)

    def prepare() -> Callable[[], object]:
        _, state = model.read(tokens, model.init_state(1))

        @torch.no_grad()
        def run() -> None:
            logits, last = model.step(tokens[:, 0], state)
            for _ in range(SAMPLED - 1):
                logits, last = model.step(logits.argmax(-1), last)

        return run

    return torch.no_grad()(prepare)


def measure(
    seed: int,
    folder: Path | None = None,
    *,
    size: str,
    threads: int,
    lengths: tuple[int, ...] = LENGTHS,
    repeats: int = REPEATS,
) -> dict[str, Any]:
    """Microseconds per token: the medians of a block of rounds in which the models take turns.

    ``batches`` holds training with 1,024 tokens in each batch, ``single`` training with one text at a time,
    and ``sampling`` one more token behind a text, with a Transformer's keys and values in a cache.
    """
    models = {name: build(name, size, seed) for name in MODELS}
    result: dict[str, Any] = {"parameters": {name: model.n_parameters() for name, model in models.items()}}
    tokens = max(lengths)
    with threads_of(threads):
        for kind in ("batches", "single", "sampling"):
            result[kind] = {}
            for length in lengths:
                batch = tokens // length if kind == "batches" else 1
                counted = SAMPLED if kind == "sampling" else batch * length
                if kind == "sampling":
                    runs = {name: sampling(model, length) for name, model in models.items()}
                else:
                    runs = {name: training(model, batch, length) for name, model in models.items()}
                    runs[LOOPED] = training(models["LSTM"], batch, length, onednn=False)
                seconds = take_turns(runs, repeats, seed)
                result[kind][str(length)] = {
                    name: round(1e6 * taken / counted, 3) for name, taken in seconds.items()
                }
    return result


@contextmanager
def _onednn(enabled: bool) -> Iterator[None]:
    """Let PyTorch use oneDNN, or not; its own ``flags`` also sets TF32, and warns about that on most CPUs."""
    (before, *_) = torch.backends.mkldnn.set_flags(_enabled=enabled)
    try:
        yield
    finally:
        torch.backends.mkldnn.set_flags(_enabled=before)


EXPERIMENT = Experiment(
    name="serial-cost",
    is_timed=True,
    chapter=4,
    description="time per token of an RNN, an LSTM and a Transformer, in training and in sampling",
    measure=measure,
    seeds=(0, 1, 2, 3, 4),
    config={"lengths": LENGTHS, "tokens": TOKENS, "repeats": REPEATS, "sizes": SIZES},
    data=lambda: {"name": "random tokens", "vocab_size": VOCAB_SIZE},
    conditions=tuple({"size": size, "threads": 1} for size in SIZES),
)
