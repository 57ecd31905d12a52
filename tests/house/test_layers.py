"""The package's layers, declared here and nowhere else: which module may import which."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "transformer_lib"
LONGEST_MODULE = 400

# A module, or a package with all that is in it, may import the names in its set, those in theirs, and so on.
LAYERS: dict[str, set[str]] = {
    "equations": set(),
    "metrics": set(),
    "plotting": {"metrics"},
    "reading": set(),
    "autoregressive": set(),
    "validation": set(),
    "masks": set(),
    "linear": set(),
    "cache": {"masks"},
    "positions": {"linear"},
    "attention": {"masks", "cache", "positions"},
    "layers": {"attention"},
    "augmentation": set(),
    "config": {"layers", "validation"},
    "stack": {"config", "augmentation"},
    "transformer": {"stack", "autoregressive"},
    "encoder_decoder": {"transformer"},
    "relative_attention": {"attention"},
    "memory": {"transformer", "relative_attention"},
    "hopfield": {"attention"},
    "vision": {"encoder_decoder"},
    "alignment": {"masks", "linear", "validation"},
    "cells": {"linear"},
    "recurrent": {"autoregressive", "cells", "validation"},
    "seq2seq": {"recurrent", "alignment"},
    "convolutional": {"autoregressive", "linear", "validation"},
    "vqvae": {"convolutional"},
    "nade": {"autoregressive"},
    "ngram": {"autoregressive"},
    "baselines": {"autoregressive", "ngram"},
    "decoding": {"autoregressive"},
    "beam": {"decoding"},
    "models": {"memory", "hopfield", "vision", "encoder_decoder", "seq2seq", "vqvae", "nade", "baselines"},
    "data": set(),
    "training": {"models", "beam", "data", "metrics"},
    "experiments": {"training"},
    "__main__": {"experiments"},
}
HEAVY = ["matplotlib", "sklearn", "accelerate", "tqdm", "safetensors", "pandas", "scipy"]
HEAVY += ["sacrebleu", "tokenizers", "num2words", "pooch", "tensorboard", "transformers"]

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def layer(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def below(name: str) -> set[str]:
    """All that `name` may import, itself included."""
    return {name}.union(*(below(other) for other in LAYERS[name]))


def imported_layers(path: Path, text: str) -> set[str]:
    """The layers that the text of the module at `path` imports anywhere, also inside functions."""
    package = ["transformer_lib", *path.relative_to(PACKAGE).parts[:-1]]
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            names = [".".join([*base, alias.name]) for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("transformer_lib.")}
    return found & set(LAYERS)


def test_every_module_has_a_layer() -> None:
    assert {layer(path) for path in MODULES} <= set(LAYERS)


def test_the_layers_have_no_cycle() -> None:
    for name in LAYERS:
        assert all(name not in below(other) for other in LAYERS[name])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_imports_only_from_its_own_layer_and_those_below(path: Path) -> None:
    assert imported_layers(path, path.read_text(encoding="utf-8")) <= below(layer(path))


@pytest.mark.parametrize(
    "text",
    [
        "import transformer_lib.training",
        "from transformer_lib import training",
        "from transformer_lib.training.loop import train",
        "from . import training",
        "from .training import train",
        "def late():\n    from transformer_lib import training",
    ],
)
def test_an_import_is_seen_in_every_form(text: str) -> None:
    assert imported_layers(PACKAGE / "imagined.py", text) == {"training"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_is_short_enough_to_read(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


def test_importing_the_library_imports_no_data_training_or_plotting_library() -> None:
    code = (
        "import sys, torch; before = set(sys.modules); import transformer_lib; "
        f"print([name for name in {HEAVY} if name in set(sys.modules) - before])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.strip() == "[]"
