"""Experiments of chapter 19: what a memory by attention holds, and Macaron's blocks in a language model."""
