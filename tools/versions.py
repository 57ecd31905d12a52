"""Other versions than the pinned ones, for the weekly runs of continuous integration.

    python tools/versions.py newest > wanted.txt     the newest of each package, within its major version
    python tools/versions.py oldest > wanted.txt     the oldest that the project says it supports
    python -m pip install -r wanted.txt

The pins are those of `requirements.txt`, the supported versions those of `pyproject.toml`. The lock of what
they pull in holds for the pins alone and is left out. So are, from the oldest, the programs that only the
benchmarks compare with: they ask for newer versions than the library does.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIN = re.compile(r"([A-Za-z0-9._-]+)==([0-9][^\s;]*)(.*)")
LEAST = re.compile(r"([A-Za-z0-9._-]+)>=([0-9][0-9.]*)")
COMPARED = {"transformers", "x-transformers"}
PROJECTS = (ROOT / "pyproject.toml", ROOT / "exercises" / "autograder" / "pyproject.toml")


def supported() -> dict[str, str]:
    """The lowest version that the project says it works with, by package."""
    found: dict[str, str] = {}
    for project in PROJECTS:
        table = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
        extras = table.get("optional-dependencies", {}).values()
        for line in [*table["dependencies"], *(line for extra in extras for line in extra)]:
            if (least := LEAST.match(line)) and least[1] not in COMPARED:
                found[least[1].lower()] = least[2]
    return found


def wanted(which: str, lines: list[str]) -> list[str]:
    """The lines of requirements.txt with other versions."""
    least, made = supported(), []
    for line in lines:
        pin = PIN.fullmatch(line)
        if not pin:
            made += [line] if line.startswith("-e") else []
        elif which == "newest":
            made.append(f"{pin[1]}>={pin[2]},<{int(pin[2].partition('.')[0]) + 1}{pin[3]}")
        elif pin[1] not in COMPARED:
            made.append(f"{pin[1]}=={least.get(pin[1].lower(), pin[2])}{pin[3]}")
    return made


def main(which: str) -> int:
    """Print the lines."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    print("\n".join(wanted(which, lines)))
    return 0


if __name__ == "__main__":
    if sys.argv[1:] not in (["newest"], ["oldest"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
