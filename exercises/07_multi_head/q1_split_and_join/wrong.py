"""Named mistakes in question 07.1."""


# %% detached: a copy of the numbers that no gradient passes
# loses: gradients
def split_heads(x, n_heads):
    batch, time, columns = x.shape
    apart = x.detach().reshape(batch, time, n_heads, columns // n_heads).transpose(1, 2)
    return apart + 0 * x.sum()


def join_heads(x):
    batch, heads, time, width = x.shape
    return x.detach().transpose(1, 2).reshape(batch, time, heads * width) + 0 * x.sum()


# %% interleaved: heads that take every H-th column
# loses: split, join, gradients
def split_heads(x, n_heads):
    batch, time, columns = x.shape
    return x.reshape(batch, time, columns // n_heads, n_heads).permute(0, 3, 1, 2)


def join_heads(x):
    return x.permute(0, 2, 3, 1).flatten(2)


# %% join_reshape: a join without a transposition: an object gets what another has found
# loses: join, gradients
def split_heads(x, n_heads):
    batch, time, columns = x.shape
    return x.reshape(batch, time, n_heads, columns // n_heads).transpose(1, 2)


def join_heads(x):
    batch, heads, time, width = x.shape
    return x.reshape(batch, time, heads * width)


# %% last_first: heads in the order from the last to the first
# loses: split, join, gradients
def split_heads(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=2)[::-1], dim=1)


def join_heads(x):
    return torch.cat(list(x.unbind(1))[::-1], dim=2)


# %% reshape: one reshape, without a transposition: heads get pieces of several objects
# loses: split, join, gradients
def split_heads(x, n_heads):
    batch, time, columns = x.shape
    return x.reshape(batch, n_heads, time, columns // n_heads)


def join_heads(x):
    batch, heads, time, width = x.shape
    return x.reshape(batch, time, heads * width)


# %% split_reshape: a split by one reshape: heads get pieces of several objects
# loses: split, gradients
def split_heads(x, n_heads):
    batch, time, columns = x.shape
    return x.reshape(batch, n_heads, time, columns // n_heads)


def join_heads(x):
    return x.transpose(1, 2).flatten(2)
