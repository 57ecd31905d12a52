"""Experiments of chapter 8: the Transformer as a NADE of digits, with its mask and without."""
