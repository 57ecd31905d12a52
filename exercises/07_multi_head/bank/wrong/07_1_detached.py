"""a copy of the numbers that no gradient passes"""
# loses: gradients
def split_heads(x, n_heads):
    batch, time, columns = x.shape
    apart = x.detach().reshape(batch, time, n_heads, columns // n_heads).transpose(1, 2)
    return apart + 0 * x.sum()


def join_heads(x):
    batch, heads, time, width = x.shape
    return x.detach().transpose(1, 2).reshape(batch, time, heads * width) + 0 * x.sum()
