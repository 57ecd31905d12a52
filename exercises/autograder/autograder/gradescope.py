"""Gradescope: what goes into its autograder.zip, and what runs in its container.

``setup.sh`` makes an environment once; ``run_autograder`` calls ``python -m autograder.gradescope`` for each
submission, which grades the notebook with ``python -m autograder grade`` and always leaves a results.json.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from autograder.build import write_text
from autograder.exam import Exam
from autograder.kits import Files, dependencies, pins, read_files, zip_bytes

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
"${AUTOGRADER_PYTHON:-$base/venv/bin/python}" -m autograder.gradescope "$base"
"""
GUIDE = """\
# {exercise} in Gradescope

Upload `autograder.zip` as the autograder of a *Programming Assignment*; ask for one notebook, `exercise.ipynb`. The zip holds the
solutions and the bank: it is for Gradescope and never for students. They work with the student's kit.

Each submission is graded in a container of its own by `python -m autograder grade` with the inputs of seed {seed}. Where the
container does not allow bubblewrap, the student's code runs in a plain process, and `results.json` says so
(`extra_data.sandbox` is `none`): code that sets out to can then read what the container holds. The grade of record
is that of `python -m autograder grade exercises/{exercise} SUBMISSIONS -o grades/ --seed {seed}` on a machine of yours.
"""
SETTINGS = "gradescope.json"


def gradescope_files(folder: Path, exam: Exam) -> Files:
    """The upload, with a guide beside it."""
    root = folder.parent
    place = f"exercises/{exam.exercise}"
    files = read_files(folder, ["exercise.md", "questions.py", "bank/*/*.py", "data/**/*"], place)
    files |= read_files(root / "autograder", ["pyproject.toml", "autograder/*.py"], "package")
    names = dependencies(root / "autograder" / "pyproject.toml", "author")
    files["requirements.txt"] = "\n".join([*pins(root, names), ""]).encode()
    settings = {"exercise": exam.exercise, "seed": exam.seed}
    files[SETTINGS] = (json.dumps(settings) + "\n").encode()
    scripts = {"setup.sh": SETUP.encode(), "run_autograder": RUN.encode()}
    guide = GUIDE.format(**settings).encode()
    return {"autograder.zip": zip_bytes({**files, **scripts}, executable=scripts), "README.md": guide}
