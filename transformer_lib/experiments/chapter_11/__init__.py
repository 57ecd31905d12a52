"""Experiments of chapter 11: language models: counting, pieces of words, readouts, Shakespeare."""
