"""A process of a core install: it runs commands without the packages that only extras bring.

``python core_install.py`` reads from standard input, as JSON, the packages' top-level modules that are to be
absent and the commands, and prints, as JSON, the exit code, the output and the errors of each command.
"""

import io
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import packages_distributions, requires
from types import ModuleType

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def brought_by(dependencies: Sequence[str]) -> set[str]:
    """The packages that these bring, themselves among them."""
    found: set[str] = set()
    left = [Requirement(line) for line in dependencies]
    while left:
        requirement = left.pop()
        name = canonicalize_name(requirement.name)
        if name not in found and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            found.add(name)
            left += [Requirement(line) for line in requires(name) or []]
    return found


def modules_besides(packages: set[str]) -> list[str]:
    """The top-level modules of all other packages that are installed here."""
    return sorted(
        module
        for module, owners in packages_distributions().items()
        if not packages & {canonicalize_name(owner) for owner in owners}
    )


def _run_without(absent: set[str], commands: Sequence[Sequence[str]]) -> list[tuple[int, str, str]]:
    class Present(PathFinder):
        @classmethod
        def find_spec(
            cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
        ) -> ModuleSpec | None:
            return None if name.partition(".")[0] in absent else super().find_spec(name, path, target)

    for name in [name for name in sys.modules if name.partition(".")[0] in absent]:
        del sys.modules[name]
    sys.meta_path[sys.meta_path.index(PathFinder)] = Present

    from transformer_lib.__main__ import main
    from transformer_lib.data import CORPORA, load_tales

    CORPORA["tales"] = lambda: load_tales(n_train=60, n_valid=8, n_test=8)
    results = []
    for argv in commands:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = main(argv)
        results.append((code, out.getvalue(), err.getvalue()))
    return results


if __name__ == "__main__":
    wanted = json.load(sys.stdin)
    print(json.dumps(_run_without(set(wanted["absent"]), wanted["commands"])))
