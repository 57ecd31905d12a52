"""Importing the library gives the names a reader uses, and nothing heavy."""

import subprocess
import sys

import pytest

import transformer_lib


@pytest.mark.slow
def test_the_library_imports_no_data_training_or_plotting():
    program = """
import sys
import transformer_lib

heavy = {"hypothesis", "matplotlib", "pandas", "safetensors", "sklearn", "tokenizers"}
ours = {"transformer_lib." + name for name in ("data", "equations", "experiments", "plotting", "training")}
assert not (heavy | ours) & set(sys.modules), sorted((heavy | ours) & set(sys.modules))
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_every_exported_name_exists_and_is_documented():
    for name in transformer_lib.__all__:
        assert getattr(transformer_lib, name).__doc__, name
