"""Outputs beside a record, so that its runs can be compared item by item: translations, predictions.

Each unit has a line of JSON, compressed by itself. The file of a seed is those of its units one after
another, so that seeds join a record by adding files. A run of the record names its line by the SHA-256, so
that the outputs of another run are not taken for its own.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from glob import escape
from pathlib import Path
from typing import Any

from transformer_lib.training import RecordError, is_main_process
from transformer_lib.training.files import write_atomically

__all__ = [
    "LIMIT",
    "Outputs",
    "outputs_beside",
    "outputs_of_seed",
    "outputs_of_unit",
    "read_outputs",
    "write_outputs",
]

LIMIT = 200_000
"""How many bytes the outputs of a seed may take, under all conditions together."""

ENDING = ".outputs.jsonl.gz"

Outputs = dict[str, list[str] | list[float]]
"""By name, a text or a number for each item."""


def outputs_of_unit(unit: Path) -> Path:
    """The file of the outputs of a finished unit, whose record is at ``unit``."""
    return unit.with_suffix(ENDING)


def outputs_of_seed(record: Path, seed: int) -> Path:
    """The file of the outputs of one seed, beside the record at ``record``."""
    return record.with_suffix(f".seed-{seed}{ENDING}")


def outputs_beside(record: Path) -> list[Path]:
    """The files of outputs beside the record at ``record``."""
    return sorted(record.parent.glob(f"{escape(record.stem)}.seed-*{ENDING}"))


def write_outputs(path: Path, label: str, outputs: Any, room: int) -> None:
    """Write the outputs of a unit; what is in a dictionary in them is ``name.key``.

    Raises
    ------
    ValueError
        If they are no dictionary of lists of texts or of finite numbers, or take more than ``room`` bytes.
    """
    line = json.dumps({"unit": label, "outputs": _lists(outputs)}, ensure_ascii=False, allow_nan=False)
    packed = gzip.compress(f"{line}\n".encode(), mtime=0)
    if len(packed) > room:
        raise ValueError(
            f"the outputs of {label} take {len(packed):,} bytes, compressed. A condition may take {room:,} "
            f"of the {LIMIT:,} of a seed: return those of fewer items, or of a sample, the same for all"
        )
    if is_main_process():
        write_atomically(path, packed)


def read_outputs(path: Path) -> dict[str, Outputs]:
    """The outputs of each unit whose line is in the file, by the SHA-256 of the line.

    Raises
    ------
    RecordError
        If the file is missing or damaged.
    """
    try:
        lines = gzip.decompress(path.read_bytes()).splitlines()
        return {hashlib.sha256(line).hexdigest(): json.loads(line)["outputs"] for line in lines}
    except FileNotFoundError as error:
        raise RecordError(f"{path} is missing: the record's outputs belong beside it") from error
    except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError) as error:
        raise RecordError(f"{path} cannot be read as outputs: {error}") from error


def _lists(values: Any, prefix: str = "") -> Outputs:
    if not isinstance(values, Mapping):
        raise ValueError(f"outputs must be a dictionary of lists; got {values!r:.60}")
    found: Outputs = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            found |= _lists(value, f"{prefix}{key}.")
        elif isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
            found[prefix + key] = value
        else:
            raise ValueError(
                f"the outputs {prefix + key!r} must be a list of texts or of numbers; got {value!r:.60}"
            )
    return found
