"""Training steps: forward, loss, backward, clipping, AdamW."""

from collections.abc import Callable
from contextlib import nullcontext
from unittest.mock import patch

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tests.benchmarks.measuring import BF16, Row, compare, peak_memory
from tests.benchmarks.peers import (
    LANGUAGE_MODELS,
    LANGUAGE_PEERS,
    TRANSLATION_PEERS,
    TRANSLATORS,
    Size,
    check_sameness,
    logits_of,
)
from transformer_lib.transformer import attention

STEPS = 3  # a step is short: so many are measured for each repeat that is asked for
SETTINGS = {
    "": {},
    BF16: {"bf16": True},
    ", compiled": {"compile": True},
    BF16 + ", compiled": {"bf16": True, "compile": True},
}


class Training:
    """A model and its optimizer; the same for every peer."""

    def __init__(
        self,
        model: nn.Module,
        inputs: tuple[Tensor, ...],
        targets: Tensor,
        *,
        bf16: bool = False,
        compile: bool = False,
    ) -> None:
        self.model, self.inputs, self.targets = model.train(), inputs, targets
        self.bf16 = bf16
        self.loss = torch.compile(self._loss) if compile else self._loss
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

    def _loss(self) -> Tensor:
        logits = logits_of(self.model, *self.inputs)
        return F.cross_entropy(logits.flatten(0, 1), self.targets.flatten())

    def step(self) -> Tensor:
        """One update."""
        device = self.targets.device.type
        casting = torch.autocast(device, torch.bfloat16) if self.bf16 else nullcontext()
        with casting:
            loss = self.loss()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return loss.detach()


def load_libraries() -> None:
    """Nothing more: to import this module loads them."""


def _tokens(size: Size, seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(3, size.vocab_size, (size.batch, size.time), generator=generator)


def _task(
    kind: str, size: str, device: str
) -> tuple[Size, dict[str, Callable[..., nn.Module]], tuple[Tensor, ...], Tensor]:
    """The shape, who can be trained, inputs and targets; the models that are built are on the device."""
    shape = (LANGUAGE_MODELS if kind == "language" else TRANSLATORS)[size]
    builders = LANGUAGE_PEERS if kind == "language" else TRANSLATION_PEERS
    peers = {name: lambda shape, build=build: build(shape).to(device) for name, build in builders.items()}
    inputs = tuple(_tokens(shape, seed).to(device) for seed in range(1 if kind == "language" else 2))
    return shape, peers, inputs, _tokens(shape, 9).to(device)


def run_of(kind: str, name: str, size: str, updates: int, device: str = "cpu") -> None:
    """Build a peer and update it."""
    shape, peers, inputs, targets = _task(kind, size, device)
    training = Training(peers[name](shape), inputs, targets)
    for _ in range(updates):
        training.step()


def check_against_the_slow_path(model: nn.Module, *inputs: Tensor) -> None:
    """Refuse a model whose fused attention differs from the weights' sum."""

    def slow(query, key, value, mask=None, scale=None, dropout=0.0, bias=None):
        return attention.attention_weights(query, key, mask, scale, bias) @ value

    with torch.no_grad():
        fast = model(*inputs)
        with patch.object(attention, "attention", slow):
            torch.testing.assert_close(model(*inputs), fast, rtol=1e-3, atol=1e-4)


def measure(
    kind: str,
    size: str,
    repeats: int,
    *,
    half: bool = True,
    compiled: bool = False,
    memory: bool = True,
    device: str = "cpu",
) -> list[Row]:
    """Tokens a second of every peer in every precision, and of ours compiled too; and peak memory.

    ``half`` says whether bfloat16 is among the settings: without instructions for it a step takes minutes.
    """
    shape, peers, inputs, targets = _task(kind, size, device)
    models = {name: build(shape) for name, build in peers.items()}
    check_sameness(models, *inputs)
    check_against_the_slow_path(models["ours"], *inputs)

    runs = {}
    for suffix, settings in SETTINGS.items():
        if (settings.get("bf16") and not half) or (settings.get("compile") and not compiled):
            continue
        for name, build in peers.items():
            if name == "ours" or not settings.get("compile"):
                model = build(shape) if settings else models[name]
                runs[name + suffix] = Training(model, inputs, targets, **settings).step
    section = "training" if kind == "language" else "training a translator"
    rows = compare(section, size, runs, targets.numel(), "tokens/s", STEPS * repeats)
    for name in peers if memory else ():
        mebibytes = peak_memory(kind, name, size, device)
        if mebibytes is not None:
            rows.append(Row.of_rates("peak memory of " + section, size, name, [mebibytes], "MiB"))
    return rows


def flops_per_token(size: Size) -> float:
    """Of the products of one training step: two a weight forward, four backward, and attention's, causal."""
    weights = 12 * size.n_layers * size.d_model**2 + size.vocab_size * size.d_model
    return 6 * (weights + size.n_layers * size.time * size.d_model)


def limits(size: str, gemm: list[Row]) -> list[Row]:
    """Tokens a second if a step were nothing but products at the machine's rate."""
    cost = flops_per_token(LANGUAGE_MODELS[size])
    return [
        Row(
            "training",
            size,
            f"limit, {row.name}",
            row.median / cost,
            row.low / cost,
            row.high / cost,
            "tokens/s",
        )
        for row in gemm
    ]
