"""heads in the order from the last to the first"""
# loses: split, join, gradients
def split_heads(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=2)[::-1], dim=1)


def join_heads(x):
    return torch.cat(list(x.unbind(1))[::-1], dim=2)
