"""The measurements as tables, as a record and as a figure."""

import sys
from dataclasses import asdict, replace
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

import matplotlib

from tests.benchmarks.measuring import Row
from transformer_lib.training.records import Record, write_record

PEERS = ("transformers", "x-transformers", "torch")


def print_table(rows: list[Row]) -> None:
    """Each case by itself: median, quartiles, and the multiple of the best peer in the same precision."""
    for (section, case), group in groupby(rows, key=lambda row: (row.section, row.case)):
        group = list(group)
        print(f"\n{section}, {case} ({group[0].unit})")
        for row in group:
            others = [peer.median for peer in group if is_peer(peer.name, row.name)]
            ratio = f"{row.median / max(others):8.2f}" if others and row.unit == "tokens/s" else " " * 8
            print(f"  {row.name:<34}{_number(row.median)}{ratio}   [{_number(row.low)},{_number(row.high)}]")


def is_peer(other: str, name: str) -> bool:
    """Whether ``other`` is another library's Transformer, as precise and as compiled as ``name``."""
    of_others = not other.startswith(("ours", "limit")) and "LSTM" not in other
    return of_others and all((mark in other) == (mark in name) for mark in ("bf16", "compiled"))


def _number(value: float) -> str:
    return f"{value:10.3g}" if value < 100 or value >= 1e7 else f"{value:10,.0f}"


def begin(settings: dict, device: str = "cpu") -> Record:
    """The record of what is to be measured: its commit is that of the code that is about to run."""
    return Record.of_run(
        config=settings,
        data={"tokens": "random"},
        seeds=[0],
        minutes=0.0,
        curve=[],
        result={"peers": {name: version(name) for name in PEERS}},
        device=device,
        command=["python", "-m", "tests.benchmarks", *sys.argv[1:]],
    )


def write(rows: list[Row], folder: Path, begun: Record, minutes: float) -> None:
    """``benchmarks.json`` and ``benchmarks.png``."""
    folder.mkdir(parents=True, exist_ok=True)
    result = {"rows": [asdict(row) for row in rows]} | begun.result
    write_record(folder / "benchmarks.json", replace(begun, minutes=minutes, result=result))
    draw(rows, folder / "benchmarks.png")


def draw(rows: list[Row], path: Path) -> None:
    """Speeds by peer, and costs by length, as far as they were measured."""
    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    from transformer_lib.plotting import COLORS, WIDTH, save_png, use_house_style

    use_house_style()
    speeds = {}
    for row in rows:
        if row.unit == "tokens/s" and not row.name.startswith("limit"):
            speeds.setdefault(f"{row.section}, {row.case}", []).append(row)
    costs = {}
    for row in rows:
        if row.unit == "µs/token":
            costs.setdefault(row.section, {}).setdefault(row.name, []).append(row)
    panels = len(speeds) + len(costs)
    if not panels:
        return
    heights = [0.45 + 0.28 * len(group) for group in speeds.values()] + [3.0] * len(costs)
    figure, axes = plt.subplots(
        panels,
        squeeze=False,
        figsize=(WIDTH, sum(heights) + 0.5 * panels),
        height_ratios=heights,
        layout="constrained",
    )
    for ax, (title, group) in zip(axes[:, 0], speeds.items()):
        colors = [COLORS["blue" if row.name.startswith("ours") else "grey"] for row in group]
        spread = [[row.median - row.low for row in group], [row.high - row.median for row in group]]
        ax.barh([row.name for row in group], [row.median for row in group], xerr=spread, color=colors)
        ax.invert_yaxis()
        ax.set(title=title, xlabel="tokens per second (median, quartiles)")
    for ax, (title, lines) in zip(axes[len(speeds) :, 0], costs.items()):
        for name, points in lines.items():
            x = [int(point.case) for point in points]
            (line,) = ax.plot(x, [point.median for point in points], marker="o", label=name)
            low, high = [point.low for point in points], [point.high for point in points]
            ax.fill_between(x, low, high, alpha=0.2, color=line.get_color())
        ax.set(title=title, xlabel="length (tokens)", ylabel="µs per token", xscale="log", yscale="log")
        ax.legend()
    save_png(figure, path)
    plt.close(figure)
