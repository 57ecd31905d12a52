"""``python -m tests.benchmarks``: see ``--help``."""

import argparse
import os
import time
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import torch

from tests.benchmarks import generation, lengths, report, training
from tests.benchmarks.measuring import Row, gemm_rates

SIZES = ("0.8M", "10.8M", "124M")
SECTIONS = ("training", "generation", "length", "beam")


def main() -> None:
    """Measure, print, and write the record and the figure."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="tiny shapes: shows that it runs, not how fast")
    parser.add_argument("--only", choices=SECTIONS, help="one part instead of all")
    parser.add_argument(
        "--repeats",
        type=int,
        default=7,
        help="measurements of each, three times as many of training steps (%(default)s)",
    )
    parser.add_argument("--size", choices=SIZES, help="one of the sizes of language models")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="%(default)s by default")
    parser.add_argument("--compiled", action="store_true", help="torch.compile too, which takes minutes")
    parser.add_argument("-o", "--output", type=Path, default=Path("_build/benchmarks"), help="folder")
    options = parser.parse_args()
    if options.device == "cuda" and not torch.cuda.is_available():
        parser.error("--device cuda needs a GPU that PyTorch can use, and torch.cuda.is_available() is False")

    torch.backends.cudnn.allow_tf32 = False  # in its LSTM; in products it is False anyway
    settings = {name: str(value) for name, value in vars(options).items()}
    record = report.begin(settings | {"threads": torch.get_num_threads()}, options.device)
    begun = time.perf_counter()
    rows: list[Row] = []
    for part in parts(options):
        report.print_table(part)
        rows += part
    report.write(rows, options.output, record, (time.perf_counter() - begun) / 60)
    print(f"\nThe record and the figure are in {options.output}.")


def parts(options: argparse.Namespace):
    """The rows, part after part, as they are measured."""
    quick, repeats, on = options.quick, options.repeats, {"device": options.device}
    chosen = SECTIONS if options.only is None else (options.only,)
    usual = SIZES[:2] if options.device == "cpu" else SIZES[1:]
    sizes = ("quick",) if quick else usual if options.size is None else (options.size,)
    translator = "quick" if quick else "7.6M"
    if {"training", "generation"} & {*chosen}:
        gemm = gemm_rates(repeats, **on)
        yield gemm
        single, in_bf16 = (row.median for row in gemm)
        half = {"half": in_bf16 > single}
    if "training" in chosen:
        settings = {"compiled": options.compiled, "memory": not quick} | half | on
        for size in sizes:
            yield training.measure("language", size, repeats, **settings) + training.limits(size, gemm)
        yield training.measure("translation", translator, repeats, **settings | {"compiled": False})
    if "generation" in chosen:
        for size in sizes:
            yield generation.limits(size, repeats, **on)
            for batch in (1, 16):
                yield generation.measure(size, batch, 8 if quick else 256, repeats, **half, **on)
    if "beam" in chosen:
        for batch in (1, 16):
            yield generation.measure_beams(translator, batch, 4 if quick else 32, repeats, **on)
    if "length" in chosen:
        steps = [8, 16] if quick else [64, 128, 256, 512, 1024, 2048]
        yield lengths.measure_training(sizes[0], steps, repeats, **on)
        yield lengths.measure_sampling(sizes[0], steps, repeats, **on)


if __name__ == "__main__":
    main()
