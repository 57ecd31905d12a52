"""Experiments of chapter 12: dropout, augmentation and penalties, on stories and on WikiText-2."""
