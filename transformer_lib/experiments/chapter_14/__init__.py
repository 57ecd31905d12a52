"""Experiments of chapter 14: sampled stories and beam search."""
