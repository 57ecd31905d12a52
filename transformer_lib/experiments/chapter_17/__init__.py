"""Experiments of chapter 17: from how far back models fetch a name."""
