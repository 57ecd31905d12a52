"""a join without a transposition: an object gets what another has found"""
# loses: join, gradients
def split_heads(x, n_heads):
    batch, time, columns = x.shape
    return x.reshape(batch, time, n_heads, columns // n_heads).transpose(1, 2)


def join_heads(x):
    batch, heads, time, width = x.shape
    return x.reshape(batch, time, heads * width)
