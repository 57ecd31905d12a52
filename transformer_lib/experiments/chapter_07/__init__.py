"""Experiments of chapter 7: several heads, shared heads, and fully connected networks beside them."""
