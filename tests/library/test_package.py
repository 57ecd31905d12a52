"""Importing the library gives the names a reader uses, and nothing heavy."""

import subprocess
import sys
from types import ModuleType

import pytest
import torch

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


def test_what_is_called_is_a_function_and_no_module_stands_in_its_place():
    for name in transformer_lib.__all__:
        assert not isinstance(getattr(transformer_lib, name), ModuleType), name
    assert transformer_lib.attention(*torch.ones(3, 1, 2, 4)).shape == (1, 2, 4)
