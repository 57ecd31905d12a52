"""Experiments of chapter 18: parsing as translation, and questions about pictures."""
