"""Named mistakes in question 16.1."""


# %% own_gate: weights with the forget gate of the word's own step in the product
# loses: weights, closed gates, gradients
def memory_weights(enter, forget):
    row, rows = torch.zeros_like(enter), []
    for t in range(enter.shape[1]):
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], dim=1)
        row = forget[:, t : t + 1] * row
        rows.append(row)
    return torch.stack(rows, dim=1)


# %% readers_input: weights with the input gate of the word that reads
# loses: weights, closed gates, gradients
def memory_weights(enter, forget):
    row, rows = torch.zeros_like(enter), []
    for t in range(enter.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(enter[:, t : t + 1] * row)
    return torch.stack(rows, dim=1)


# %% no_input: products of forget gates without the input gates
# loses: weights, closed gates, gradients
def memory_weights(enter, forget):
    row, rows = torch.zeros_like(enter), []
    for t in range(enter.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], 0 * enter[:, t : t + 1] + 1, row[:, t + 1 :]], dim=1)
        rows.append(row)
    return torch.stack(rows, dim=1)


# %% transposed: the weights with reader and read word exchanged
# loses: weights, closed gates, gradients
def memory_weights(enter, forget):
    row, rows = torch.zeros_like(enter), []
    for t in range(enter.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], dim=1)
        rows.append(row)
    return torch.stack(rows, dim=2)


# %% divided: quotients of running products, which fail where a product is 0
# loses: closed gates
def memory_weights(enter, forget):
    place = torch.arange(enter.shape[1])
    read = (place[:, None] >= place)[None, :, :, None]
    product = forget.cumprod(dim=1)
    return torch.where(read, product[:, :, None] / product[:, None] * enter[:, None], 0.0)


# %% newest_gate: weights that fade by one gate alone, the reader's
# loses: weights, closed gates, gradients
def memory_weights(enter, forget):
    place = torch.arange(enter.shape[1])
    later = (place[:, None] > place)[None, :, :, None]
    own = (place[:, None] == place)[None, :, :, None]
    return torch.where(later, forget[:, :, None] * enter[:, None], 0.0) + torch.where(own, enter[:, None], 0.0)


# %% detached: weights that no gradient passes
# loses: gradients
def memory_weights(enter, forget):
    row, rows = torch.zeros_like(enter), []
    for t in range(enter.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], enter[:, t : t + 1], row[:, t + 1 :]], dim=1)
        rows.append(row)
        row = row.detach()
    return torch.stack(rows, dim=1)
