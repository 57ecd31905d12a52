"""Experiments of chapter 9: every scheme of positions, on longer sequences than in training."""
