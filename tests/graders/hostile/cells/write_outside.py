"""Writes wherever a path can be named: beside the submissions, the grades, the package and the interpreter."""

# question 06.3
import os
import site
import sys
from pathlib import Path

import autograder

places = [r"@EXERCISE@", r"@SUBMISSIONS@", r"@GRADES@", r"@OUTSIDE@", "/", "/usr", "/etc", "/usr/lib", sys.prefix, sys.base_prefix]
places += [*site.getsitepackages(), Path(autograder.__file__).parent, Path(torch.__file__).parent, "/proc/sys/kernel"]
for place in places:
    for action in (
        lambda: (Path(place) / "hostile.txt").write_text("here"),
        lambda: os.symlink("/etc/passwd", Path(place) / "hostile.txt"),
        lambda: os.mkdir(Path(place) / "hostile.txt"),
    ):
        try:
            action()
        except OSError:
            continue
        if str(place) != "/" and "tmp" not in str(place):
            raise SystemError(f"ESCAPED: wrote to {place}")
for name in (autograder.__file__, torch.__file__, sys.executable):
    try:
        with open(name, "ab"):
            raise SystemError(f"ESCAPED: opened {name} for writing")
    except OSError:
        pass
@SOLUTION@
