"""Experiments of chapter 15: what a training step costs, and how size, shape and optimizer are chosen."""
