"""Looks for secrets in the environment of every process that it can see, and for processes of others."""

# question 06.3
import os
from pathlib import Path

if any("@SECRET@" in value for value in os.environ.values()):
    raise SystemError("ESCAPED: the grader's environment")
for process in Path("/proc").glob("[0-9]*"):
    for name in ("environ", "cmdline"):
        try:
            text = (process / name).read_bytes()
        except OSError:
            continue
        if "@SECRET@".encode() in text or b"pytest" in text or b"autograder\0grade" in text:
            raise SystemError(f"ESCAPED: {process / name}: {text[:200]}")
    try:
        names = [os.readlink(link) for link in (process / "fd").iterdir()]
    except OSError:
        continue
    if any(name.endswith((".ipynb", ".csv", ".zip", ".md")) for name in names):
        raise SystemError(f"ESCAPED: open files {names}")
@SOLUTION@
