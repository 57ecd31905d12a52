"""Experiments of chapter 20: a fifth budget for the law of chapter 15, and the symptoms of mistakes."""
