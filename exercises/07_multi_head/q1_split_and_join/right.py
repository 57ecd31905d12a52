"""Right answers to question 07.1."""


# %% chunks: Chunks of columns, stacked and concatenated.
def split_heads(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=2), dim=1)


def join_heads(x):
    return torch.cat(list(x.unbind(1)), dim=2)


# %% selectors: Matrices that select a head's columns.
def selectors(n_heads, width):
    return torch.eye(n_heads * width).view(n_heads, width, n_heads * width)


def split_heads(x, n_heads):
    S = selectors(n_heads, x.shape[2] // n_heads).to(x.dtype)
    return torch.einsum("btc,hwc->bhtw", x, S)


def join_heads(x):
    S = selectors(x.shape[1], x.shape[3]).to(x.dtype)
    return torch.einsum("bhtw,hwc->btc", x, S)


# %% unflatten: Unflatten, movedim and flatten.
def split_heads(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).movedim(2, 1)


def join_heads(x):
    return x.movedim(1, 2).flatten(2)
