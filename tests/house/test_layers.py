"""The package's layers, declared here and nowhere else: which module may import which."""

import subprocess
import sys
from pathlib import Path

import pytest
from layers import below, imported, layer

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "transformer_lib"

# A module, or a package with all that is in it, may import the names in its set, those in theirs, and so on.
LAYERS: dict[str, set[str]] = {
    "equations": set(),
    "metrics": {"validation"},
    "plotting": {"metrics"},
    "reading": set(),
    "validation": set(),
    "inference": set(),
    "activations": set(),
    "autoregressive": {"inference", "validation"},
    "initialization": {"validation"},
    "masks": {"validation"},
    "cache": {"masks"},
    "note_parameters": set(),
    "attention": {"cache", "initialization", "note_parameters", "activations"},
    "position_schemes": {"attention"},
    "positions": {"position_schemes"},
    "layers": {"attention"},
    "augmentation": {"inference", "validation"},
    "config": {"layers", "positions"},
    "stack": {"config", "augmentation"},
    "transformer": {"stack", "autoregressive"},
    "released": {"validation"},
    "gpt2": {"transformer", "released"},
    "llama": {"transformer", "released"},
    "encoder_decoder": {"transformer"},
    "transformer_xl": {"stack", "autoregressive"},
    "hopfield": {"attention"},
    "vision": {"encoder_decoder"},
    "alignment": {"attention"},
    "cells": {"activations", "initialization"},
    "recurrent": {"autoregressive", "cells"},
    "seq2seq": {"recurrent", "alignment"},
    "convolutional": {"autoregressive", "initialization"},
    "vqvae": {"convolutional"},
    "nade": {"activations", "autoregressive"},
    "ngram": {"autoregressive"},
    "baselines": {"activations", "autoregressive", "ngram"},
    "decoding": {"autoregressive"},
    "beam": {"decoding"},
    "models": {
        "transformer_xl",
        "hopfield",
        "vision",
        "encoder_decoder",
        "seq2seq",
        "vqvae",
        "nade",
        "baselines",
    },
    "data": {"augmentation"},
    "training": {"models", "beam", "data", "metrics"},
    "experiments": {"training"},
    "arguments": {"config"},
    "__main__": {"arguments", "experiments"},
}
HEAVY = ["matplotlib", "sklearn", "tqdm", "safetensors", "pandas", "scipy"]
HEAVY += ["sacrebleu", "tokenizers", "num2words", "pooch", "tensorboard", "transformers"]

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def test_every_module_has_a_layer() -> None:
    assert {layer(path, PACKAGE) for path in MODULES} <= set(LAYERS)


def test_the_layers_have_no_cycle() -> None:
    for name in LAYERS:
        assert all(name not in below(LAYERS, other) for other in LAYERS[name])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_imports_only_from_its_own_layer_and_those_below(path: Path) -> None:
    found = imported(path, path.read_text(encoding="utf-8"), PACKAGE) & set(LAYERS)
    assert found <= below(LAYERS, layer(path, PACKAGE))


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
    assert imported(PACKAGE / "imagined.py", text, PACKAGE) == {"training"}


def test_importing_the_library_imports_no_data_training_or_plotting_library() -> None:
    code = (
        "import sys, torch; before = set(sys.modules); import transformer_lib; "
        f"print([name for name in {HEAVY} if name in set(sys.modules) - before])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.strip() == "[]"
