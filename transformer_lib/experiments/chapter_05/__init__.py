"""Experiments of chapter 5: translation with and without attention, and the scores of attention."""
