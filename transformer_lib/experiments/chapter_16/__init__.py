"""Experiments of chapter 16: which parts an LSTM needs, and its weights over the past."""
