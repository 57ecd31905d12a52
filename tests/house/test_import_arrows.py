"""The package's layers, declared here and nowhere else: which module may import which."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from import_arrows import below, imported, layer

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "transformer_lib"

# A folder with all that is in it, or a module beside the folders, may import the names in its set, those in
# theirs, and so on.
LAYERS: dict[str, set[str]] = {
    "equations": set(),
    "one_file_gpt": set(),
    "one_file_translator": set(),
    "notebook": set(),
    "checks": set(),
    "metrics": {"checks"},
    "plotting": set(),
    "activations": set(),
    "initialization": {"checks"},
    "padding": {"checks"},
    "dropout": {"checks"},
    "interfaces": {"padding"},
    "losses": {"interfaces"},
    "transformer": {"activations", "dropout", "initialization", "interfaces"},
    "recurrent": {"transformer"},
    "density": {"activations", "initialization", "interfaces"},
    "decoding": {"transformer"},
    "data": {"density", "losses"},
    "training": {"decoding", "data", "density", "metrics", "recurrent"},
    "released": {"training"},
    "text": {"training"},
    "experiments": {"text", "notebook", "one_file_gpt"},
    "__main__": {"experiments"},
}
MOST_MODULES = 15
HEAVY = ["matplotlib", "sklearn", "tqdm", "safetensors", "pandas", "scipy"]
HEAVY += ["sacrebleu", "tokenizers", "num2words", "pooch", "tensorboard", "transformers"]

FOLDERS = sorted({path.parent for path in PACKAGE.rglob("*.py")})
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def test_every_module_has_a_layer() -> None:
    missing = {layer(path, PACKAGE) for path in MODULES} - set(LAYERS)
    assert not missing, f"declare {sorted(missing)} in LAYERS, with what they may import"


def test_the_layers_have_no_cycle() -> None:
    for name in LAYERS:
        circles = [other for other in LAYERS[name] if name in below(LAYERS, other)]
        assert not circles, (
            f"{name} and {circles} may import each other: take one of the arrows out of LAYERS"
        )


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_folder_says_what_is_in_it_and_has_few_modules(folder: Path) -> None:
    text = (folder / "__init__.py").read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), f"say in {folder.name}/__init__.py what lives there"
    n = len([path for path in folder.glob("*.py") if path.name != "__init__.py"])
    assert n <= MOST_MODULES, f"{folder.name} has {n} modules: part it, or join what belongs together"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_imports_only_from_its_own_layer_and_those_below(path: Path) -> None:
    found = imported(path, path.read_text(encoding="utf-8"), PACKAGE) & set(LAYERS)
    against = found - below(LAYERS, layer(path, PACKAGE))
    assert not against, f"{path.name} imports {sorted(against)} against the arrows: see LAYERS"


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
    found = imported(PACKAGE / "imagined.py", text, PACKAGE)
    assert found == {"training"}, (
        "an import in this form escapes the test above: mend tests/support/import_arrows.py"
    )


def test_importing_the_library_imports_no_data_training_or_plotting_library() -> None:
    code = (
        "import sys, torch; before = set(sys.modules); import transformer_lib; "
        f"print([name for name in {HEAVY} if name in set(sys.modules) - before])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.strip() == "[]", "import these where they are used, inside the function"


def test_what_only_a_sharded_run_needs_is_not_imported_with_the_experiments() -> None:
    names = ["torch.distributed.tensor", "torch.distributed.fsdp", "torch.distributed.checkpoint"]
    code = (
        "import sys, transformer_lib.experiments, transformer_lib.__main__; "
        f"print([name for name in {names} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.strip() == "[]", "these take a second: import them inside the function that needs them"
