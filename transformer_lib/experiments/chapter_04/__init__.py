"""Experiments of chapter 4: how far recurrent networks look back, and what a token costs them."""
