"""Where our own speeds lie under the roofline: chapter 15.

A roofline is drawn from two numbers of a machine, the operations per second of its matrix products and the
bytes per second that its memory delivers. The speeds are those of the records of ``make bench``, which the
functions take by name.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from transformer_lib.experiments.running.runner import RECORDS
from transformer_lib.training import read_record

__all__ = ["GPU_BANDWIDTH", "GPU_PEAK", "Machine", "Point", "intensity", "machines", "points", "shares"]

GPU_PEAK, GPU_BANDWIDTH = 989e12, 4.8e12
"""An NVIDIA H200's operations per second in bf16, and bytes per second of its memory, by its maker."""

Speeds = Mapping[tuple[str, str, str], float]
Shape = tuple[int, int, int, int]
MEDIUM: Shape = (6, 384, 256, 65)
GPT2: Shape = (12, 768, 1024, 50257)
"""Blocks, width, tokens of a text and vocabulary of the models that were timed."""


@dataclass(frozen=True)
class Machine:
    """Operations per second of matrix products, and bytes per second of the memory."""

    name: str
    rate: float
    bandwidth: float

    def roof(self, intensity: float) -> float:
        """The operations per second that no code of this intensity exceeds."""
        return min(self.rate, intensity * self.bandwidth)


@dataclass(frozen=True)
class Point:
    """A measured speed, in operations per second, at its operations per byte."""

    machine: str
    name: str
    intensity: float
    rate: float


def intensity(tokens: int, width: int, size: int) -> float:
    """Operations per byte of a product of so many tokens with a square matrix, in numbers of ``size`` bytes.

    The matrix, the tokens and the results cross the memory once each.
    """
    return 2 * tokens * width**2 / (size * (width**2 + 2 * tokens * width))


def machines(on_processor: str) -> list[Machine]:
    """A processor and a GPU.

    The processor's rate is that of a large product, and its bandwidth the fastest reading of the larger
    model's weights on record; both are measured. The GPU's rate and bandwidth are its maker's.
    """
    speeds = _speeds(on_processor)
    weights = 4 * _blocks(MEDIUM)
    return [
        Machine(
            "processor",
            speeds["machine", "1536 x 1536 x 1536", "torch"],
            weights * speeds["sampling", "10.8M, batch 1", "limit, products"],
        ),
        Machine("GPU", GPU_PEAK, GPU_BANDWIDTH),
    ]


def points(on_processor: str, on_gpu: str) -> list[Point]:
    """Sampling, training and large products, in float32 on the processor and in bf16 on the GPU."""
    cpu, gpu = _speeds(on_processor), _speeds(on_gpu)
    step, one, sixteen = _step_flops(MEDIUM), "10.8M, batch 1", "10.8M, batch 16"
    L, d, n, V = MEDIUM
    token = 2 * _blocks(MEDIUM) + 2 * d * V + 4 * (n // 2) * L * d  # half of the keys on average
    return [
        Point("processor", "sample 1 text", 0.5, token * cpu["sampling", one, "ours, compiled"]),
        Point("processor", "sample 16 texts", 8.0, token * cpu["sampling", sixteen, "ours"]),
        Point("processor", "train", intensity(8 * n, d, 4), step * cpu["training", "10.8M", "ours"]),
        Point(
            "processor",
            "large product",
            intensity(1536, 1536, 4),
            cpu["machine", "1536 x 1536 x 1536", "torch"],
        ),
        *(
            Point(
                "GPU",
                name,
                intensity(8 * GPT2[2], GPT2[1], 2),
                _step_flops(GPT2) * gpu["training", "124M", case],
            )
            for name, case in (("train", "ours, bf16"), ("train, compiled", "ours, bf16, compiled"))
        ),
        Point("GPU", "large product", intensity(8192, 8192, 2), gpu["machine", "8192 x 8192 x 8192", "bf16"]),
    ]


def shares(on_gpu: str) -> list[tuple[str, float, float, float]]:
    """Training on the GPU: tokens per second, the share of a large product's rate, and that of the peak.

    The peak is that of bf16, so that the last number is NaN in float32.
    """
    gpu = _speeds(on_gpu)
    rates = {kind: gpu["machine", "8192 x 8192 x 8192", kind] for kind in ("torch", "bf16")}
    rows = []
    for name in ("ours", "ours, compiled", "ours, bf16", "ours, bf16, compiled"):
        speed = gpu["training", "124M", name]
        done, is_half = _step_flops(GPT2) * speed, "bf16" in name
        label = name.removeprefix("ours, ") if is_half else name.replace("ours", "float32")
        product = done / rates["bf16" if is_half else "torch"]
        rows.append((label, speed, product, done / GPU_PEAK if is_half else float("nan")))
    return rows


def _speeds(record: str) -> Speeds:
    rows = read_record(RECORDS / f"{record}.json").result["rows"]
    return {(row["section"], row["case"], row["name"]): row["median"] for row in rows}


def _blocks(shape: Shape) -> int:
    """The weights of the blocks' matrices, with an inner width of four times the width."""
    L, d = shape[:2]
    return 12 * L * d**2


def _step_flops(shape: Shape) -> int:
    """Operations of a training step for each token, with all pairs."""
    L, d, n, V = shape
    return 3 * (2 * _blocks(shape) + 4 * n * L * d + 2 * d * V)
