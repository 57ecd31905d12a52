"""Experiments of chapter 13: translators of number words and of captions."""
