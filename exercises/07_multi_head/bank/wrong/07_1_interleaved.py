"""heads that take every H-th column"""
# loses: split, join, gradients
def split_heads(x, n_heads):
    batch, time, columns = x.shape
    return x.reshape(batch, time, columns // n_heads, n_heads).permute(0, 3, 1, 2)


def join_heads(x):
    return x.permute(0, 2, 3, 1).flatten(2)
