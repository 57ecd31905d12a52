"""Weights that others have released, read into this library's models: GPT-2 and Llama (chapter 15)."""

from transformer_lib.released.gpt2 import load_gpt2
from transformer_lib.released.llama import load_llama

__all__ = ["load_gpt2", "load_llama"]
