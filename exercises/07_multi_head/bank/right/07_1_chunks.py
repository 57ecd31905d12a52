"""Chunks of columns, stacked and concatenated."""


def split_heads(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=2), dim=1)


def join_heads(x):
    return torch.cat(list(x.unbind(1)), dim=2)
