"""Gradescope: what goes into its autograder.zip, and what runs in its container.

``setup.sh`` makes an environment once. For each submission ``run_autograder`` calls this module, which grades
the notebook with ``python -m autograder grade`` and always leaves a results.json.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.delivery.kits import AUTHOR_TOOLS, SOURCES, dependencies, pins
from autograder.files import Files, read_files, write_text, zip_bytes
from autograder.judging.exam import Exam
from autograder.worker.preflight import sandbox_problem

SETUP = """\
#!/usr/bin/env bash
# Gradescope runs this once, as root, when the image is built.
set -eu
base="${AUTOGRADER_BASE:-/autograder}"
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y bubblewrap
for python in python3.13 python3.12 python3.11 python3; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        break
    fi
    python=python3.11
done
apt-get install -y "$python" "$python-venv" || apt-get install -y python3 python3-venv
"$python" -m venv "$base/venv"
"$base/venv/bin/python" -m pip install -r "$base/source/requirements.txt" "$base/source/package[author]"
"""
RUN = """\
#!/usr/bin/env bash
# Gradescope runs this for each submission.
base="${AUTOGRADER_BASE:-/autograder}"
"${AUTOGRADER_PYTHON:-$base/venv/bin/python}" -m autograder.delivery.gradescope "$base"
"""
SETTINGS = "gradescope.json"


def gradescope_files(folder: Path, exam: Exam) -> Files:
    """The autograder.zip to upload."""
    root = folder.parent
    place = f"exercises/{exam.exercise}"
    files = read_files(folder, SOURCES, place)
    files |= read_files(root / "autograder", ["pyproject.toml", "autograder/**/*.py"], "package")
    names = [*AUTHOR_TOOLS, *dependencies(root / "autograder" / "pyproject.toml", "author")]
    files["requirements.txt"] = "\n".join([*pins(root, names), ""]).encode()
    settings = {"exercise": exam.exercise, "seed": exam.seed}
    files[SETTINGS] = (json.dumps(settings) + "\n").encode()
    scripts = {"setup.sh": SETUP.encode(), "run_autograder": RUN.encode()}
    return {"autograder.zip": zip_bytes({**files, **scripts}, executable=scripts)}


def _graded(source: Path, submission: Path, work: Path) -> str:
    """The text of the results that ``grade`` wrote; RuntimeError with what it said if it wrote none."""
    settings = json.loads((source / SETTINGS).read_text(encoding="utf-8"))
    exercise = source / "exercises" / settings["exercise"]
    handed_in, out = work / "submissions", work / "grades"
    shutil.copytree(submission, handed_in / "student", symlinks=True)
    options = ["--seed", str(settings["seed"]), *(["--no-sandbox"] if sandbox_problem() else [])]
    words = ["grade", str(exercise), str(handed_in), "-o", str(out), *options]
    run = subprocess.run(
        [sys.executable, "-m", "autograder", *words], capture_output=True, encoding="utf-8", errors="replace"
    )
    found = sorted(out.glob("submissions/*/*.results.json"))
    if not found:
        raise RuntimeError(run.stderr.strip())
    return found[0].read_text(encoding="utf-8")


def main(base: Path) -> None:
    """Grades what lies in ``base/submission`` and writes ``base/results/results.json``, whatever happens."""
    with tempfile.TemporaryDirectory(prefix="autograder-") as work:
        try:
            results = _graded(base / "source", base / "submission", Path(work))
        except Exception as error:  # a submission without results would wait in Gradescope for ever
            told = {"score": 0, "output": f"Not graded. {error}", "visibility": "visible"}
            results = json.dumps({**told, "output_format": "text"}, indent=1) + "\n"
    (base / "results").mkdir(exist_ok=True)
    write_text(base / "results" / "results.json", results)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
