"""Which functions of a package run in a call: what a reader has to open to follow it."""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any


@dataclass(frozen=True)
class Trace:
    """The calls of a package's functions, counted, and the files in which they stand.

    Comprehensions, lambdas and the bodies of classes belong to the function around them.
    """

    calls: Counter[CodeType]
    package: Path

    @property
    def modules(self) -> list[str]:
        """The files, as paths within the package."""
        return sorted({Path(code.co_filename).relative_to(self.package).as_posix() for code in self.calls})

    @property
    def n_calls(self) -> int:
        """How often any of the functions was called."""
        return self.calls.total()

    @property
    def lines(self) -> int:
        """The lines of the files together."""
        return sum(len((self.package / m).read_text(encoding="utf-8").splitlines()) for m in self.modules)

    def table(self) -> str:
        """A line for each function, and a line for all."""
        rows = [
            f"{n:4} {Path(code.co_filename).relative_to(self.package).as_posix()}: {code.co_qualname}"
            for code, n in self.calls.items()
        ]
        total = f"{len(self.modules)} modules, {len(self.calls)} functions, {self.n_calls} calls"
        return "\n".join([*rows, f"{total}, {self.lines} lines"])


def traced(package: Path, call: Callable[[], Any]) -> Trace:
    """Run ``call``, and count the calls of the functions of ``package`` in it."""
    calls: Counter[CodeType] = Counter()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_ours = code.co_filename.startswith(f"{package}/")
        if event == "call" and is_ours and not code.co_name.startswith("<"):
            calls[code] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return Trace(calls, package)
