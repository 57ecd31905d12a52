"""a split by one reshape: heads get pieces of several objects"""
# loses: split, gradients
def split_heads(x, n_heads):
    batch, time, columns = x.shape
    return x.reshape(batch, n_heads, time, columns // n_heads)


def join_heads(x):
    return x.transpose(1, 2).flatten(2)
