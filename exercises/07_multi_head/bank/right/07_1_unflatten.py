"""Unflatten, movedim and flatten."""


def split_heads(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).movedim(2, 1)


def join_heads(x):
    return x.movedim(1, 2).flatten(2)
