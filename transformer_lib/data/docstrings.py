"""NumPy's docstrings: megabytes of technical English that every reader already has.

They have a form that shows at a glance what a model has learned: headings with their underlines, parameter
lists, examples with the prompt ``>>>``.
"""

import hashlib
import importlib
import inspect
import re
import sys
import types
import unicodedata
from collections.abc import Iterator

import numpy as np

from transformer_lib.data.corpus import Corpus
from transformer_lib.data.tokenizers import CharTokenizer

PINNED_NUMPY = "2.4.6"
"""The version of NumPy whose docstrings the course's numbers rest on."""

PINNED_SHA256 = "493aa04e88624026945269af04a43acafd792c24a698e1075b75c576769cacea"
"""`Corpus.sha256` of that version's docstrings."""

MODULES = (
    "numpy",
    "numpy.char",
    "numpy.ctypeslib",
    "numpy.exceptions",
    "numpy.fft",
    "numpy.lib",
    "numpy.lib.array_utils",
    "numpy.lib.format",
    "numpy.lib.introspect",
    "numpy.lib.mixins",
    "numpy.lib.npyio",
    "numpy.lib.recfunctions",
    "numpy.lib.scimath",
    "numpy.lib.stride_tricks",
    "numpy.lib.user_array",
    "numpy.linalg",
    "numpy.ma",
    "numpy.ma.mrecords",
    "numpy.polynomial",
    "numpy.polynomial.chebyshev",
    "numpy.polynomial.hermite",
    "numpy.polynomial.hermite_e",
    "numpy.polynomial.laguerre",
    "numpy.polynomial.legendre",
    "numpy.polynomial.polynomial",
    "numpy.polynomial.polyutils",
    "numpy.random",
    "numpy.rec",
    "numpy.strings",
    "numpy.testing",
    "numpy.typing",
)
REWRITTEN = frozenset({"sinc"})
SHORTEST = 100
VALID_PERCENT, TEST_PERCENT = 5, 5


def load_docstrings() -> Corpus:
    r"""The docstrings of the installed NumPy's public modules, classes, functions and methods.

    Only what NumPy itself defines counts, not what its classes inherit from Python. The scalar types are
    left out, because which of them is which depends on the platform, and `sinc`, because SciPy rewrites its
    text when imported. Text is reduced to printable ASCII and ``\n``; blanks at the ends of lines, texts
    under 100 characters and repeated texts are dropped. Documents are ordered by a hash of their text. 5 %
    are for validation and 5 % for the test, by a hash of the last piece of the name without such prefixes
    as ``nan`` and ``cheb``: the texts of ``numpy.sum``, ``numpy.nansum`` and ``numpy.ma.sum`` share
    sentences, so they must not be on different sides of the split.

    Raises
    ------
    ValueError
        If Python runs without docstrings (``python -OO``).
    """
    if sys.flags.optimize >= 2:
        raise ValueError(
            "Python was started with -OO or PYTHONOPTIMIZE=2, which strips docstrings: start it without"
        )
    names: dict[str, str] = {}
    for name, docstring in _documented():
        text = normalize(docstring or "")
        if len(text) >= SHORTEST:
            names[text] = min(name, names.get(text, name))
    parts: dict[str, list[str]] = {"train": [], "valid": [], "test": []}
    for text in sorted(names, key=_hash):
        percent = _hash(_VARIANT.sub("", names[text])) % 100
        is_valid, is_test = percent < VALID_PERCENT, percent >= 100 - TEST_PERCENT
        parts["valid" if is_valid else "test" if is_test else "train"].append(text)
    return Corpus(
        name="docstrings",
        tokenizer=CharTokenizer.fit(parts["train"]),
        description=f"the docstrings of NumPy {np.__version__}",
        train=parts["train"],
        valid=parts["valid"],
        test=parts["test"],
    )


def normalize(docstring: str) -> str:
    """`docstring` without indentation and without the signature that C types keep, in printable ASCII."""
    text = re.sub(r"\A\w+\(.*\)\n--\n", "", inspect.cleandoc(docstring)).translate(_TO_ASCII)
    text = re.sub(r"[^\n -~]", "", unicodedata.normalize("NFKD", text))
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()


_TO_ASCII = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "×": "x", "…": "..."})
_VARIANT = re.compile(r"^(cheb|herme|herm|lag|leg|poly|nan)(?=\w{3})")


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:8], "big")


def _documented() -> Iterator[tuple[str, str | None]]:
    """(last piece of the name, docstring) of every public module, function, class and member of a class."""
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        yield module_name.rpartition(".")[2], module.__doc__
        for name, value in sorted(vars(module).items()):
            if name.startswith("_") or name in REWRITTEN or not _is_numpys(value):
                continue
            if not isinstance(value, type):
                yield getattr(value, "__name__", name), value.__doc__
            elif value is np.generic or not issubclass(value, np.generic):
                yield from _documented_in_class(value)


def _documented_in_class(cls: type) -> Iterator[tuple[str, str | None]]:
    if isinstance(cls.__doc__, str):
        yield cls.__name__, cls.__doc__
    for name, value in sorted(vars(cls).items()):
        if not name.startswith("_") and hasattr(type(value), "__get__"):
            yield name, value.__doc__


def _is_numpys(value: object) -> bool:
    if isinstance(value, types.ModuleType):
        return False
    module = getattr(value, "__module__", None)
    return isinstance(value, np.ufunc) or (isinstance(module, str) and module.split(".")[0] == "numpy")
