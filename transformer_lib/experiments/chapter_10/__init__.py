"""Experiments of chapter 10: how blocks join their branches, and a whole Transformer."""
