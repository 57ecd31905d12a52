"""one reshape, without a transposition: heads get pieces of several objects"""
# loses: split, join, gradients
def split_heads(x, n_heads):
    batch, time, columns = x.shape
    return x.reshape(batch, n_heads, time, columns // n_heads)


def join_heads(x):
    batch, heads, time, width = x.shape
    return x.reshape(batch, time, heads * width)
