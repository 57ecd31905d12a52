"""Run the course's tests in stages, and say at the end what each took.

    python tools/run_tests.py all        everything (`make test`)
    python tools/run_tests.py check      style, types, fast tests, and the notebooks touched (`make check`)

Each stage is one command; a failing one does not stop the next. What keeps one processor busy (types, the
book) runs beside the stages that follow, and is shown when it has ended. pytest's closing lines come last.
"""

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from notebooks import ROOT, course_notebooks

READY = ROOT / ".venv" / ".ready"
A_TEST_THAT_HANGS = ["-o", "faulthandler_timeout=900", "-o", "faulthandler_exit_on_timeout=true"]
PYTEST = [sys.executable, "-m", "pytest", "-q", *A_TEST_THAT_HANGS]
# pytest's plugins that it loads by itself: these take seconds to import, in each process.
TESTS = [*PYTEST, "-p", "no:nbval", "-p", "no:anyio"]
SLOWEST = ["--durations=15", "--durations-min=5"]
CORES = os.cpu_count() or 1


def in_parallel(processes: int, how: str) -> list[str]:
    """The options that share the tests among so many processes."""
    return ["-n", str(processes), "--max-worker-restart=0", "--dist", how, "--no-loadscope-reorder"]


ON_ALL_CORES, PAGE_BY_PAGE = in_parallel(CORES, "loadfile"), in_parallel(CORES, "loadgroup")
# half of the graders' time is waiting: for code that sleeps, hangs or holds its pipes open
BESIDE_WHO_WAITS = in_parallel(CORES + 2, "loadfile")
NBVAL = [*PYTEST, "--nbval", "--nbval-current-env", "--nbval-cell-timeout=300", *ON_ALL_CORES]
NEEDS_THE_BOOK = "browser"
# Files are handed out in their order. These come first, the longest first: what begins last keeps one
# processor busy when the others have nothing left.
LONGEST_FIRST = (
    "tests/soak/test_soak_sixty.py",
    "tests/library/experiments/running/test_runner.py",
    "tests/library/decoding/test_compiled.py",
    "tests/graders/classroom/test_hostile_bank.py",
    "tests/graders/worker/test_sandbox.py",
    "tests/graders/proving/test_banks.py",
    "tests/graders/classroom/test_class.py",
    "tests/graders/worker/test_hostile.py",
    "tests/graders/delivery/test_export.py",
    "tests/graders/delivery/test_kits.py",
    "tests/graders/judging/test_forms.py",
    "tests/book/test_links.py",
)
LONG_MODULE = 400


@dataclass
class Stage:
    """One command, and how it ended; ``beside`` others where it needs one processor alone."""

    name: str
    command: list[str]
    beside: bool = False
    returncode: int = 0
    seconds: float = 0.0
    closing_line: str = ""
    _lines: list[str] = field(default_factory=list)
    _thread: threading.Thread | None = None

    def begin(self) -> None:
        """Run the command and show what it prints; beside others, begin to run it."""
        if self.beside:
            self._thread = threading.Thread(target=self.run)
            self._thread.start()
        else:
            self.run()

    def end(self) -> None:
        """Wait for the command, and show what it has printed beside others."""
        if self._thread:
            self._thread.join()
            self._thread = None
            print("".join(self._lines), end="", flush=True)

    def run(self) -> None:
        """Run the command."""
        self._show(f"\n== {self.name}: {shown(self.command)}\n")
        started = time.monotonic()
        environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(
            self.command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        ) as process:
            for line in process.stdout or ():
                self._show(line)
                if line.strip():
                    self.closing_line = line.strip()
        self.returncode = process.returncode
        self.seconds = time.monotonic() - started

    def _show(self, text: str) -> None:
        if self.beside:
            self._lines.append(text)
        else:
            print(text, end="", flush=True)


def shown(command: list[str]) -> str:
    """The command as one line, with paths from the repository's root, and cut where it is long."""
    words = [str(Path(word).relative_to(ROOT)) if str(ROOT) in word else word for word in command]
    return " ".join(words if len(words) < 16 else [*words[:15], "..."])


def when_to_begin(path: Path) -> tuple[int, Path]:
    """The place of a test file in its stage: what takes longest first, then by name."""
    name = path.relative_to(ROOT).as_posix()
    return (LONGEST_FIRST.index(name) if name in LONGEST_FIRST else len(LONGEST_FIRST)), path


def unit_tests() -> dict[str, list[str]]:
    """The test files by stage: what drives the built book, what proves the graders, and the library's."""
    files = sorted((ROOT / "tests").rglob("test_*.py"), key=when_to_begin)
    stages: dict[str, list[str]] = {"library": [], "graders": [], "book": []}
    for path in files:
        name = path.relative_to(ROOT).parts[1]
        name = name if name in stages else "library"
        stages[name].append(str(path.relative_to(ROOT)))
    return stages


def git(*arguments: str) -> list[str]:
    """The lines that git prints, or none where it fails."""
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    return run.stdout.splitlines() if run.returncode == 0 else []


def touched_notebooks() -> list[Path]:
    """The notebooks that differ from the branch's upstream, or from the last commit where there is none."""
    base = (git("merge-base", "HEAD", "@{upstream}") or ["HEAD"])[0]
    touched = git("diff", "--name-only", base) + git("ls-files", "--others", "--exclude-standard")
    return [path for path in course_notebooks() if path.relative_to(ROOT).as_posix() in touched]


def notebook_stage(notebooks: list[Path]) -> list[Stage]:
    """The stage that compares the notebooks' outputs, or nothing where there are no notebooks."""
    relative = [str(path.relative_to(ROOT)) for path in notebooks]
    return [Stage("notebooks", [*NBVAL, *relative])] if relative else []


def style_stages() -> list[Stage]:
    """Lint of code and notebooks, format of the code, spelling, and types."""
    return [
        Stage("lint", [sys.executable, "-m", "ruff", "check", "."]),
        Stage("format", [sys.executable, "-m", "ruff", "format", "--check", "."]),
        Stage("types", [sys.executable, "-m", "mypy"], beside=True),
        Stage("spelling", [sys.executable, "tools/spelling.py"]),
    ]


def all_stages() -> list[Stage]:
    """What `make test` runs."""
    tests = unit_tests()
    has_make = READY.is_file()
    build = ["make", "--no-print-directory", "book"] if has_make else [sys.executable, "tools/build_book.py"]
    return [
        *style_stages(),
        Stage("library", [*TESTS, *SLOWEST, *ON_ALL_CORES, *tests["library"]]),
        Stage("book", build, beside=True),
        *notebook_stage(course_notebooks()),
        Stage("graders", [*TESTS, *SLOWEST, *BESIDE_WHO_WAITS, *tests["graders"]]),
        Stage("browser", [*TESTS, *SLOWEST, *PAGE_BY_PAGE, *tests["book"]]),
    ]


def check_stages() -> list[Stage]:
    """What `make check` runs."""
    tests = unit_tests()
    fast = [*TESTS, "-m", "not slow", *ON_ALL_CORES, *tests["library"], *tests["graders"]]
    return [*style_stages(), Stage("fast tests", fast), *notebook_stage(touched_notebooks())]


def long_modules(root: Path = ROOT) -> list[str]:
    """A warning for every module that is too long to read in one sitting."""
    modules = [*root.glob("transformer_lib/**/*.py"), *root.glob("exercises/autograder/autograder/**/*.py")]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sorted(modules)}
    return [
        f"warning: {path.relative_to(root).as_posix()} has {length} lines; up to {LONG_MODULE} read well"
        for path, length in lengths.items()
        if length > LONG_MODULE
    ]


def main(which: str) -> int:
    """Run the stages, and report on them."""
    stages = all_stages() if which == "all" else check_stages()
    started = time.monotonic()
    for number, stage in enumerate(stages):
        if stage.name == NEEDS_THE_BOOK:
            for earlier in stages[:number]:
                earlier.end()
        stage.begin()
    for stage in stages:
        stage.end()
    seconds = time.monotonic() - started

    print("\nstage         minutes  result")
    if READY.is_file():
        print(f"{'install':<12} {int(READY.read_text(encoding='utf-8')) / 60:8.1f}  done, when last needed")
    for stage in stages:
        how = ", beside others" if stage.beside else ""
        print(
            f"{stage.name:<12} {stage.seconds / 60:8.1f}  {'failed' if stage.returncode else 'passed'}{how}"
        )
    print(f"{'total':<12} {seconds / 60:8.1f}\n")
    for stage in stages:
        print(f"{stage.name:<12} {stage.closing_line}")
    print("\n".join(long_modules()))
    return int(any(stage.returncode for stage in stages))


if __name__ == "__main__":
    if sys.argv[1:] not in (["all"], ["check"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
