"""Run records: JSON that says what was run, on what, with what, and what came out.

With a record, a result can be repeated, and distinguished from one that only looks the same.
"""

import hashlib
import json
import math
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

from transformer_lib.training.files import write_atomically
from transformer_lib.training.parallel import is_main_process

__all__ = ["Record", "RecordError", "describe_hardware", "json_hash", "read_record", "write_record"]

FORMAT_VERSION = 1
LIBRARIES = ("transformer-lib", "torch", "numpy", "safetensors")


class RecordError(ValueError):
    """A file that is no run record, or one of a newer format."""


@dataclass(frozen=True)
class Record:
    """One run.

    Attributes
    ----------
    command : list of str
        What was called.
    config, data : dict
        Every setting; the data's name and the hash of its content.
    seeds : list of int
        Of everything random.
    minutes : float
        Wall-clock time of the training, over all its sessions; of units that ran at once, the sum of theirs.
    curve : list of dict
        Measurements by step.
    result : dict
        What the run is quoted for.
    commit : str or None
        Commit of the library's source, ending in ``-dirty`` if files other than records differed from it, or
        a module was not in it; ``None`` outside git.
    config_hash, data_hash : str
        SHA-256 of ``config`` and of ``data`` as canonical JSON.
    hardware, versions : dict
        Where it ran.
    """

    command: list[str]
    config: dict[str, Any]
    data: dict[str, Any]
    seeds: list[int]
    minutes: float
    curve: list[dict[str, Any]]
    result: dict[str, Any]
    commit: str | None
    config_hash: str
    data_hash: str
    hardware: dict[str, Any]
    versions: dict[str, str]

    @classmethod
    def of_run(
        cls,
        *,
        config: Mapping[str, Any],
        data: Mapping[str, Any],
        seeds: Sequence[int],
        minutes: float,
        curve: Sequence[Mapping[str, Any]],
        result: Mapping[str, Any],
        device: torch.device | str = "cpu",
        command: Sequence[str] | None = None,
    ) -> "Record":
        """A record of a run of this process, which adds the commit, the hashes, hardware and versions."""
        return cls(
            command=list(sys.argv if command is None else command),
            config=dict(config),
            data=dict(data),
            seeds=list(seeds),
            minutes=minutes,
            curve=[dict(point) for point in curve],
            result=dict(result),
            commit=_commit(),
            config_hash=json_hash(config),
            data_hash=json_hash(data),
            hardware=describe_hardware(device),
            versions=_versions(),
        )


def write_record(path: str | os.PathLike[str], record: Record) -> Path:
    """Write ``record`` as JSON, whole or not at all; of several processes the first one, and the others wait.

    Raises
    ------
    ValueError
        If it holds something that JSON cannot, such as NaN.
    """
    text = json.dumps({"format_version": FORMAT_VERSION} | asdict(record), indent=2, allow_nan=False)
    if is_main_process():
        write_atomically(path, (text + "\n").encode())
    if dist.is_initialized():
        dist.barrier()
    return Path(path)


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read a record back.

    Raises
    ------
    RecordError
        If the file is missing, is not JSON, is of a newer format, lacks a field, or was edited so that a
        hash no longer fits.
    """
    path = Path(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise RecordError(f"{path} is not JSON: {error}") from error
    found = content.pop("format_version", None) if isinstance(content, dict) else None
    if found is None:
        raise RecordError(f"{path} is not a run record: it has no format_version")
    if found != FORMAT_VERSION:
        raise RecordError(f"{path} has record format {found!r}; this version reads format {FORMAT_VERSION}")
    names = {field.name for field in fields(Record)}
    if content.keys() != names:
        missing, unknown = sorted(names - content.keys()), sorted(content.keys() - names)
        raise RecordError(f"{path} is not a run record: missing {missing}, unknown {unknown}")
    for name, kind in (("config", dict), ("data", dict), ("curve", list), ("result", dict), ("seeds", list)):
        if not isinstance(content[name], kind):
            raise RecordError(f"{path}: {name} must be a JSON {'object' if kind is dict else 'array'}")
    if not isinstance(content["minutes"], int | float) or not 0 <= content["minutes"] < math.inf:
        raise RecordError(f"{path}: minutes must be a number of at least 0; got {content['minutes']!r}")
    for name in ("config", "data"):
        if content[f"{name}_hash"] != json_hash(content[name]):
            raise RecordError(f"{path}: {name} does not fit its hash, so it was edited after the run")
    return Record(**content)


def json_hash(values: Mapping[str, Any]) -> str:
    """SHA-256 of ``values`` as JSON with sorted keys and no spaces."""
    values = json.loads(json.dumps(values, allow_nan=False))  # with texts as keys, as they will be read
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def describe_hardware(device: torch.device | str = "cpu") -> dict[str, Any]:
    """The machine in words: system, processor, cores, threads, and the device that computed."""
    device = torch.device(device)
    is_cuda = device.type == "cuda"
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "device": torch.cuda.get_device_name(device) if is_cuda else device.type,
    }


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            versions[library] = version(library)
        except PackageNotFoundError:
            continue
    return versions


def _commit() -> str | None:
    """The commit of the checkout that this file is tracked in, if it is."""
    git = shutil.which("git")
    if git is None:
        return None

    package = Path(__file__).parents[1]

    def ask(*arguments: str) -> str | None:
        answer = subprocess.run(
            [git, *arguments], cwd=package, capture_output=True, text=True, encoding="utf-8"
        )
        return answer.stdout.strip() if answer.returncode == 0 else None

    if ask("ls-files", "--error-unmatch", Path(__file__).relative_to(package).as_posix()) is None:
        return None
    commit = ask("rev-parse", "HEAD")
    # a record that is joined or made again changes nothing of what is measured
    changed = ask("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)book/records")
    unknown = ask("ls-files", "--others", "--exclude-standard", "*.py")
    return f"{commit}-dirty" if commit and (changed or unknown) else commit
