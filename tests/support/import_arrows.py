"""Which layers of a package a module imports, for the tests that hold the declared arrows."""

import ast
from collections.abc import Mapping, Set
from pathlib import Path


def layer(module: Path, package: Path) -> str:
    """The package's folder or file that holds the module."""
    return module.relative_to(package).parts[0].removesuffix(".py")


def below(layers: Mapping[str, Set[str]], name: str) -> set[str]:
    """All that `name` may import, itself included."""
    return {name}.union(*(below(layers, other) for other in layers[name]))


def imported(path: Path, text: str, package: Path) -> set[str]:
    """What the text of the module at `path` imports of its package anywhere, also inside functions."""
    here = [package.name, *path.relative_to(package).parts[:-1]]
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            names = [".".join([*base, alias.name]) for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith(f"{package.name}.")}
    return found
