"""Noticing calls of what a question forbids.

Three layers, each for what the one before does not see:

1. The public names. A forbidden function is replaced by one that refuses, wherever torch and NumPy have it;
   a forbidden class refuses to be made.
2. torch's functions (``TorchFunctionMode``): the original under any name, from a reloaded module, or as
   ``torch.ops.aten`` has it.
3. torch's operators (``TorchDispatchMode``): what only the forbidden function leads to, whoever calls it, be
   it a module of ``torch.nn``, TorchScript or a private function.

Layers 2 and 3 hold in one thread only: every new thread of Python's takes them along, and torch hands them to
its own. Packages of the course that a question does not use are refused where they are imported.

Each use is reported to the trusted process at the moment it happens, before the student's code goes on:
catching the exception, throwing the result away or emptying a list changes nothing.

What this guards against is a student who takes the short way, also an inventive one. It does not stop code
that is written against it: a student's code owns its process and can take the layers down, make a thread
behind Python's back, compute in a process of its own, or copy the library's source, which is an answer
written by hand. All that such code wins is what the library would have answered: no expected value is ever
in the process.
"""

import _thread
import contextlib
import importlib
import importlib.abc
import inspect
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

PLACES = (torch, torch.Tensor, torch.nn, torch.nn.functional, torch.special, torch._C._nn, np)
THREAD_STARTS = tuple(
    getattr(_thread, name) for name in ("start_new_thread", "start_joinable_thread") if hasattr(_thread, name)
)
_FUSED_LAYERS = ("native_multi_head_attention", "transformer_encoder_layer_fwd")
# beginnings of the names, without leading underscores, of functions and operators that lead nowhere else
ONLY_FOR = {
    "torch.nn.functional.scaled_dot_product_attention": (
        "scaled_dot_product",
        "fused_sdp_choice",
        "safe_softmax",
        "flash_attention",
        "efficient_attention",
        "cudnn_attention",
        "flex_attention",
        "triton_scaled_dot_attention",
        *_FUSED_LAYERS,
    ),
    "torch.nn.functional.multi_head_attention_forward": ("multi_head_attention_forward", *_FUSED_LAYERS),
}


class Forbidden(RuntimeError):
    """A call of what the question does not allow."""


def _resolve(dotted: str) -> tuple[Any, Any]:
    """The object of that name, and the module or class that has it."""
    *path, name = dotted.split(".")
    owner: Any = importlib.import_module(path[0])
    for i, step in enumerate(path[1:], 2):
        owner = getattr(owner, step, None) or importlib.import_module(".".join(path[:i]))
    return getattr(owner, name), owner


def _name(function: Any) -> str:
    if isinstance(function, torch._ops.OpOverload):
        function = function.overloadpacket
    name = getattr(function, "__name__", "")
    return name if isinstance(name, str) else ""


class Rule:
    """One forbidden name: whether a function or an operator is it."""

    def __init__(self, dotted: str):
        self.dotted = dotted
        self.original, self.owner = _resolve(dotted)
        self.name = dotted.rpartition(".")[2]
        self.beginnings = ONLY_FOR.get(dotted, ())

    def covers(self, function: Any) -> bool:
        """Whether ``function`` is the forbidden one, or leads nowhere else."""
        name = _name(function)
        if self.beginnings and name.lstrip("_").startswith(self.beginnings):
            return True
        if isinstance(function, torch._ops.OpOverload | torch._ops.OpOverloadPacket):
            return name.strip("_") == self.name.strip("_")
        if inspect.isfunction(self.original):
            own = (self.original.__module__, self.original.__qualname__)
            return (getattr(function, "__module__", None), getattr(function, "__qualname__", None)) == own
        return type(function) is type(self.original) and bool(function == self.original)

    def covers_operator(self, operator: Any) -> bool:
        """Whether only the forbidden function leads to ``operator``."""
        return bool(self.beginnings) and _name(operator).lstrip("_").startswith(self.beginnings)

    def replace(self, refuse: Callable) -> None:
        """Put ``refuse`` in the place of the public names."""
        if inspect.isclass(self.original):
            setattr(self.original, "__init__", refuse)  # noqa: B010 - not the type's own attribute
            return
        for place in dict.fromkeys((self.owner, *PLACES)):
            for attribute in [a for a in dir(place) if a.strip("_") == self.name.strip("_")]:
                if place is self.owner or getattr(place, attribute) is self.original:
                    setattr(place, attribute, refuse)


class Watch:
    """Watches the code inside ``with watch:`` for forbidden names, and calls ``report`` at each use.

    From its making on, no module of a ``withheld`` package is imported.
    """

    def __init__(self, forbids: Sequence[str], withheld: Sequence[str], report: Callable[[str], None]):
        self.rules = [Rule(dotted) for dotted in forbids]
        self.report = report
        self.entered = contextlib.ExitStack()
        for rule in self.rules:
            rule.replace(self._refusal(rule))
        if self.rules:
            self._follow_threads()
        if withheld:
            for name in [name for name in sys.modules if name.partition(".")[0] in withheld]:
                del sys.modules[name]
            sys.meta_path.insert(0, _Withheld(withheld, report))

    def __enter__(self) -> "Watch":
        self.entered.enter_context(self._modes())
        return self

    def __exit__(self, *error: object) -> None:
        self.entered.close()

    def refuse(self, rule: Rule) -> None:
        """Report a use and stop it."""
        self.report(rule.dotted)
        raise Forbidden(f"{rule.dotted} is not allowed in this question")

    def _refusal(self, rule: Rule) -> Callable:
        return lambda *arguments, **keywords: self.refuse(rule)

    @contextlib.contextmanager
    def _modes(self) -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            if self.rules:
                stack.enter_context(_Functions(self))
            if any(rule.beginnings for rule in self.rules):
                stack.enter_context(_Operators(self))
            yield

    def _follow_threads(self) -> None:
        for module in (_thread, threading):
            for name, start in list(vars(module).items()):
                if any(start is one for one in THREAD_STARTS):
                    setattr(module, name, self._followed(start))

    def _followed(self, start: Callable) -> Callable:
        def started(function: Callable, *arguments: Any, **keywords: Any) -> Any:
            def watched(*own: Any, **named: Any) -> Any:
                with self._modes():
                    return function(*own, **named)

            return start(watched, *arguments, **keywords)

        return started


class _Withheld(importlib.abc.MetaPathFinder):
    """Refuses the modules of some packages, before anybody else looks for them."""

    def __init__(self, packages: Sequence[str], report: Callable[[str], None]):
        self.packages = tuple(packages)
        self.report = report

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Report and stop an import of what is withheld; leave the others to the next finder."""
        if (package := name.partition(".")[0]) in self.packages:
            self.report(package)
            marks = "'# setup' or '# question'"
            raise ImportError(f"{package} is not allowed in a cell marked {marks}; import it in other cells")


class _Functions(TorchFunctionMode):
    def __init__(self, watch: Watch):
        super().__init__()
        self.watch = watch

    def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        for rule in self.watch.rules:
            if rule.covers(func):
                self.watch.refuse(rule)
        return func(*args, **(kwargs or {}))


class _Operators(TorchDispatchMode):
    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Spares each worker the import of torch's compiler, for a second or more."""
        return False

    def __init__(self, watch: Watch):
        super().__init__()
        self.watch = watch
        self.allowed: set[Any] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        if func not in self.allowed:
            for rule in self.watch.rules:
                if rule.covers_operator(func):
                    self.watch.refuse(rule)
            self.allowed.add(func)
        return func(*args, **(kwargs or {}))
