"""Experiments of chapter 3: pixels, codes and convolutions on binarized digits."""
