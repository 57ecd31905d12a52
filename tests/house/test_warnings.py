"""``python -W error``: nothing of ours warns, whether it is imported or asked for help."""

import subprocess
import sys

import pytest

CODE = """
import importlib
import pkgutil
import warnings

warnings.simplefilter("error")
warnings.filterwarnings("ignore", category=DeprecationWarning, module="torch")
for name in ("transformer_lib", "autograder"):
    package = importlib.import_module(name)
    for found in pkgutil.walk_packages(package.__path__, f"{name}."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    try:
        importlib.import_module(f"{name}.__main__").main(["--help"])
    except SystemExit as end:
        assert end.code == 0
"""


@pytest.mark.slow
def test_no_module_and_no_help_warns() -> None:
    """In Python's development mode, which also tells of files that nobody closes."""
    run = subprocess.run([sys.executable, "-X", "dev", "-c", CODE], capture_output=True, encoding="utf-8")
    assert run.returncode == 0, f"mend what warns or fails:\n{run.stderr}"
    assert run.stderr == "", f"mend what warns, or filter it if it is not ours:\n{run.stderr}"
    assert run.stdout.count("usage: ") == 2, f"both programs tell their usage, not:\n{run.stdout}"
