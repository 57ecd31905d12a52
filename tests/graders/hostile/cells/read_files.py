"""Reads what belongs to others: the specification, the bank, other submissions, passwords, the grades."""

# question 06.3
import os
import sys
from pathlib import Path

here = Path.cwd()
for name in (r"@EXERCISE@", r"@SUBMISSIONS@", r"@GRADES@", r"@OUTSIDE@", "/root/.ssh", "/etc/shadow"):
    path = Path(name)
    try:
        if path.is_dir():
            found = [p for p in path.rglob("*") if p.is_file() and p.name != "autograder" and "autograder" not in p.parts]
            if found and here not in path.parents and path != here:
                raise SystemError(f"ESCAPED: listed {found[0]}")
        elif path.read_bytes():
            raise SystemError(f"ESCAPED: read {name}")
    except OSError:
        pass
for root, folders, files in os.walk("/"):
    # the interpreter and the installed packages are a hundred thousand files, and no class's
    system = ("/proc", "/sys", "/usr", "/dev", sys.base_prefix)
    folders[:] = [f for f in folders if os.path.join(root, f) not in system and f != "site-packages"]
    told = [f for f in files if f in ("right.py", "wrong.py", "exercise.md", "fixtures.json", "solution.ipynb", "grades.csv")]
    if told or any(f.endswith(".ipynb") for f in files):
        raise SystemError(f"ESCAPED: {root} holds {told or files}")
@SOLUTION@
