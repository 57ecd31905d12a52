"""Experiments of chapter 1: what counting and a small network make of the same few words of memory."""
