"""What a notebook's kernel has beside Python's own names, for cells that run without one."""

from collections.abc import Callable
from typing import Any


class Shell:
    """In place of ``get_ipython()``: magics and commands do nothing, but ``%time`` runs its statement."""

    def __init__(self, namespace: dict[str, Any]):
        self._namespace = namespace

    def run_line_magic(self, name: str, line: str, *rest: Any) -> None:
        """Run what ``%time`` is given; no other magic of a line does anything."""
        if name == "time":
            exec(compile(line, "<%time>", "exec", dont_inherit=True), self._namespace)

    def getoutput(self, command: str, *rest: Any) -> list[str]:
        """The lines that a command prints: none, since it does not run."""
        return []

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *arguments, **keywords: None


def provide(namespace: dict[str, Any]) -> None:
    """Give a namespace the names that a kernel has."""
    shell = Shell(namespace)
    namespace["get_ipython"] = lambda: shell
    namespace["display"] = lambda *arguments, **keywords: None
