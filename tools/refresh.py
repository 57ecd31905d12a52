"""Run notebooks again in place, and show which outputs changed.

    python tools/refresh.py                   every chapter and exercise
    python tools/refresh.py chapters/06*      these only
    python tools/refresh.py --check           write nothing; exit 1 if anything would change

A run that changes nothing leaves every file byte for byte as it was: no times are recorded, a figure whose
pixels are the same keeps its bytes, and the file is written in one canonical form.
"""

import argparse
import base64
import difflib
import hashlib
import io
import json
import os
import re
import struct
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

import nbclient
import nbformat
import numpy as np
from notebooks import ROOT, course_notebooks
from PIL import Image

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
VOLATILE = ("execution", "ExecuteTime", "papermill", "collapsed", "scrolled", "vscode")
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLORS_KEPT = 128
PNG_KEPT = {b"IHDR", b"PLTE", b"tRNS", b"pHYs", b"IDAT", b"IEND"}


@dataclass
class Refreshed:
    """What became of one notebook: its new text, how its outputs changed, and what went wrong."""

    path: Path
    text: str = ""
    changes: list[str] = field(default_factory=list)
    error: str = ""
    seconds: float = 0.0


def refresh(path: Path) -> Refreshed:
    """Execute one notebook in its own folder; the file is not touched."""
    started = time.monotonic()
    result = Refreshed(path)
    try:
        stored, fresh = read(path), read(path)
    except ValueError as error:
        result.error = str(error)
        return result
    client = nbclient.NotebookClient(
        fresh,
        timeout=600,
        kernel_name="python3",
        record_timing=False,
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
        tidy(fresh, stored)
    except (
        nbclient.exceptions.CellExecutionError,
        nbclient.exceptions.CellTimeoutError,
        ValueError,
    ) as error:
        result.error = str(error)
    else:
        result.text = nbformat.writes(fresh) + "\n"
        result.changes = differences(stored, fresh)
    result.seconds = time.monotonic() - started
    return result


def read(path: Path) -> nbformat.NotebookNode:
    """A notebook whose cells all have ids; an id that is missing is made from the cell's place and text."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        seen: set[str] = set()
        for index, cell in enumerate(raw["cells"]):
            if cell.get("id", "") in {"", *seen}:
                cell["id"] = hashlib.sha256(f"{index} {cell['source']}".encode()).hexdigest()[:8]
            seen.add(cell["id"])
        notebook = nbformat.reads(json.dumps({**raw, "nbformat": 4, "nbformat_minor": 5}), as_version=4)
        nbformat.validate(notebook)
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not a notebook: {type(error).__name__}: {error}") from None
    except nbformat.ValidationError as error:
        raise ValueError(f"{path} is not a valid notebook: {error.message}") from None
    return notebook


def tidy(notebook: nbformat.NotebookNode, stored: nbformat.NotebookNode) -> None:
    """Bring an executed notebook into canonical form, keeping what did not change."""
    notebook.metadata["kernelspec"] = KERNEL
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    calls_shell = any(re.search("^[!%]", source, re.MULTILINE) for source in code)
    language = {"name": "python"} | ({"pygments_lexer": "ipython3"} if calls_shell else {})
    notebook.metadata["language_info"] = language
    for index, (cell, old) in enumerate(zip(notebook.cells, stored.cells, strict=True)):
        for key in VOLATILE:
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            cell.outputs = merged_streams(cell.outputs)
            for output, former in zip(
                cell.outputs, [*old.outputs, *[None] * len(cell.outputs)], strict=False
            ):
                tidy_output(output, former, index)


def merged_streams(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Join what was printed to one stream: where the kernel cut it depends on timing."""
    merged: list[nbformat.NotebookNode] = []
    for output in outputs:
        last = merged[-1] if merged else None
        if last and output.output_type == "stream" == last.output_type and output.name == last.name:
            last.text += output.text
        else:
            merged.append(output)
    return merged


def tidy_output(output: nbformat.NotebookNode, former: nbformat.NotebookNode | None, cell_index: int) -> None:
    """Bring one output into canonical form; `former` is the stored output at the same place."""
    if ADDRESS.search(output_text(output)):
        raise ValueError(f"cell {cell_index} prints a memory address, which differs from run to run")
    data = output.get("data", {})
    if "image/png" in data:
        old = former.get("data", {}).get("image/png") if former else None
        data["image/png"] = canonical_png(data["image/png"], old)


def canonical_png(new: str, old: str | None) -> str:
    """The figure in few colors, without dates and program names; the old bytes if the pixels are the same."""
    new = base64.b64encode(without_remarks(in_few_colors(base64.b64decode(new)))).decode("ascii")
    return old if old and np.array_equal(pixels(old), pixels(new)) else new


def in_few_colors(png: bytes) -> bytes:
    """The PNG with a palette, a third of the size; one that has transparent pixels or a palette stays."""
    image = Image.open(io.BytesIO(png))
    if image.mode == "P" or np.asarray(image.convert("RGBA"))[..., 3].min() < 255:
        return png
    few = image.convert("RGB").quantize(COLORS_KEPT, kmeans=3, dither=Image.Dither.NONE)
    written = io.BytesIO()
    few.save(written, "PNG", optimize=True, **({"dpi": image.info["dpi"]} if "dpi" in image.info else {}))
    return written.getvalue()


def pixels(png: str) -> np.ndarray:
    """What a PNG in base64 shows."""
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA"))


def without_remarks(png: bytes) -> bytes:
    """The PNG with the chunks that draw it, and no others."""
    kept, at = [PNG_SIGNATURE], len(PNG_SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        end = at + 12 + length
        if png[at + 4 : at + 8] in PNG_KEPT:
            kept.append(png[at:end])
        at = end
    return b"".join(kept)


def output_text(output: nbformat.NotebookNode) -> str:
    """What a reader sees of an output as text."""
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return f"{output.ename}: {output.evalue}\n"
    return output.data.get("text/plain", "") + "\n"


def differences(stored: nbformat.NotebookNode, fresh: nbformat.NotebookNode) -> list[str]:
    """Lines that say which outputs changed, and how."""
    lines = []
    for index, (old, new) in enumerate(zip(stored.cells, fresh.cells, strict=True)):
        if new.cell_type != "code":
            continue
        before = "".join(map(output_text, merged_streams(old.outputs)))
        after = "".join(map(output_text, new.outputs))
        diff = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1))[2:]
        if diff:
            lines += [f"  cell {index}, text", *(f"    {line}" for line in diff)]
        if figures(old) != figures(new):
            lines.append(f"  cell {index}, figure")
    return lines


def figures(cell: nbformat.NotebookNode) -> list[bytes]:
    """The pixels of a cell's figures."""
    stored = [output.get("data", {}).get("image/png") for output in cell.outputs]
    return [pixels(figure).tobytes() for figure in stored if figure]


def main(arguments: list[str] | None = None) -> int:
    """Refresh or check the notebooks that the arguments name."""
    parser = argparse.ArgumentParser(
        prog="python tools/refresh.py", description="Run notebooks again in place; show what changed."
    )
    parser.add_argument("notebooks", nargs="*", type=Path, help="by default every notebook of the course")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything would change")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="notebooks at a time")
    chosen = parser.parse_args(arguments)
    paths = [path.resolve() for path in chosen.notebooks] or course_notebooks()
    if missing := [path for path in paths if not path.is_file()]:
        parser.error(f"there is no notebook {missing[0]}")

    os.environ["OMP_NUM_THREADS"] = "1"
    failed = changed = 0
    with ProcessPoolExecutor(chosen.jobs) as pool:
        runs = [pool.submit(refresh, path) for path in paths]
        for count, run in enumerate(as_completed(runs), start=1):
            result = run.result()
            name = result.path.relative_to(ROOT) if result.path.is_relative_to(ROOT) else result.path
            differs = not result.error and result.text != result.path.read_text(encoding="utf-8")
            verdict = "FAILED" if result.error else "changed" if differs else "as it was"
            print(f"[{count}/{len(paths)}] {name}: {verdict} ({result.seconds:.0f} s)", flush=True)
            if result.error:
                print(result.error, file=sys.stderr)
            for line in result.changes:
                print(line)
            if differs and not chosen.check:
                result.path.write_text(result.text, encoding="utf-8", newline="\n")
            failed += bool(result.error)
            changed += differs
    return 2 if failed else int(chosen.check and changed > 0)


if __name__ == "__main__":
    sys.exit(main())
