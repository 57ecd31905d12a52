"""Resolve requirements.txt without the old lock, and write what it pulled in to constraints.txt."""

import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "constraints.txt"
HEADER = (
    "# Transitive lock of requirements.txt, as resolved on {platform} with Python {version}; "
    "`make lock` writes it again.\n"
)
OWN_TOOLS = {"pip", "setuptools", "wheel"}


def normalized(name: str) -> str:
    """A package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> int:
    """Install into a temporary environment, and lock what came."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    chosen = [line for line in lines if line and not line.startswith("-c")]
    pinned = {normalized(line.partition("==")[0]) for line in chosen if "==" in line}
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "environment"
        venv.create(environment, with_pip=True)
        python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        unlocked = Path(folder) / "requirements.txt"
        unlocked.write_text("\n".join(chosen) + "\n", encoding="utf-8", newline="\n")
        subprocess.run([python, "-m", "pip", "install", "-r", unlocked], cwd=ROOT, check=True)
        frozen = subprocess.run(
            [python, "-m", "pip", "freeze", "--exclude-editable"],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        ).stdout.splitlines()
    pulled_in = [
        re.sub(r"\+.*", "", line)
        for line in frozen
        if "==" in line and normalized(line.partition("==")[0]) not in pinned | OWN_TOOLS
    ]
    system, python_version = sys.platform.capitalize(), ".".join(map(str, sys.version_info[:2]))
    text = HEADER.format(platform=system, version=python_version)
    text += "".join(f"{line}\n" for line in sorted(pulled_in, key=str.lower))
    LOCK.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(pulled_in)} packages locked in {LOCK.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
