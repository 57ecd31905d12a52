"""Render the book from the notebooks' committed outputs, with every warning an error.

The work is one call of Jupyter Book. Sphinx shows a page's warnings only when it reads that page, so a build
that failed would pass when repeated: after a failure the pages that were read are forgotten. It also leaves
the pages of files that are gone: a whole build (`--all`) starts from nothing.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"


def main() -> int:
    if "--all" in sys.argv:
        shutil.rmtree(BUILD / "html", ignore_errors=True)
    jupyter_book = shutil.which("jupyter-book", path=Path(sys.executable).parent) or "jupyter-book"
    command = [jupyter_book, "build", str(ROOT), "-W", "--keep-going", "-n", *sys.argv[1:]]
    failed = subprocess.run(command, cwd=ROOT).returncode
    if failed:
        shutil.rmtree(BUILD / ".doctrees", ignore_errors=True)
        print("The book was not built: see the warnings above.", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main())
