"""What the tests of the models in one file share: what a file imports, and the example of its docstring."""

import ast
import inspect
import re
import textwrap
from pathlib import Path


def source_of(module):
    return Path(inspect.getsourcefile(module)).read_text(encoding="utf-8")


def imported_packages(module):
    """The packages that the file imports, wherever it does, without what comes after the first dot."""
    packages = set()
    for node in ast.walk(ast.parse(source_of(module))):
        if isinstance(node, ast.Import):
            packages |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            packages.add("." if node.level else node.module.partition(".")[0])
    return packages


def run_example(module, steps, **names):
    """Run the example of the module's docstring for so many steps, with these names defined before."""
    lines = module.__doc__.splitlines()
    start = next(n for n, line in enumerate(lines) if line.endswith("::")) + 1
    example = textwrap.dedent("\n".join(line for line in lines[start:] if line.startswith("    ")))
    shorter, n_loops = re.subn(r"range\(\d+\)", f"range({steps})", example)
    assert n_loops == 1, "the example no longer trains by `for step in range(...)`: shorten it here otherwise"
    exec(shorter, vars(module) | names)
