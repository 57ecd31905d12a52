"""Experiments of chapter 2: what learning every conditional is worth."""
