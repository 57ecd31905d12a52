"""Experiments of chapter 6: one head: the scale of its scores, Q = K, and finding words in a story."""
