"""Weights that others have released, read into this library's models, and ours as others read them.

GPT-2 and Llama (chapter 15) are read from Hugging Face's layout, and written in it.
"""

from transformer_lib.released.gpt2 import load_gpt2
from transformer_lib.released.llama import load_llama
from transformer_lib.released.saving import save_pretrained

__all__ = ["load_gpt2", "load_llama", "save_pretrained"]
