"""Matrices that select a head's columns."""


def selectors(n_heads, width):
    return torch.eye(n_heads * width).view(n_heads, width, n_heads * width)


def split_heads(x, n_heads):
    S = selectors(n_heads, x.shape[2] // n_heads).to(x.dtype)
    return torch.einsum("btc,hwc->bhtw", x, S)


def join_heads(x):
    S = selectors(x.shape[1], x.shape[3]).to(x.dtype)
    return torch.einsum("bhtw,hwc->btc", x, S)
