"""Named mistakes in question 16.5."""


# %% own_gate: weights in which each word meets its own gate
# loses: gates, closed gates, gradients
def attend(query, key, value, forget):
    scores = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        row = forget[:, t : t + 1] * row
        rows.append(row)
    left = torch.stack(rows, dim=1)
    a = left * scores
    return a @ value / a.sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    matrix, total = forget[:, None, None] * matrix + written, forget[:, None] * total + key
    read = (query[:, :, None] * matrix).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    return read, matrix, total


# %% not_divided: sums that are not divided by the sum of the weights
# loses: open gates, gates, closed gates, gradients
def attend(query, key, value, forget):
    scores = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(row)
    left = torch.stack(rows, dim=1)
    a = left * scores
    return a @ value


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    matrix, total = forget[:, None, None] * matrix + written, forget[:, None] * total + key
    read = (query[:, :, None] * matrix).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    return read, matrix, total


# %% divided_ungated: weights divided by the sum of the products without the gates
# loses: gates, closed gates, gradients
def attend(query, key, value, forget):
    scores = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(row)
    left = torch.stack(rows, dim=1)
    a = left * scores
    return a @ value / (scores.tril()).sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    matrix, total = forget[:, None, None] * matrix + written, forget[:, None] * total + key
    read = (query[:, :, None] * matrix).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    return read, matrix, total


# %% no_mask: weights in which a word reads later ones
# loses: open gates, gates, closed gates, gradients
def attend(query, key, value, forget):
    scores = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(row)
    left = torch.stack(rows, dim=1)
    left = left + left.transpose(1, 2).triu(1)
    a = left * scores
    return a @ value / a.sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    matrix, total = forget[:, None, None] * matrix + written, forget[:, None] * total + key
    read = (query[:, :, None] * matrix).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    return read, matrix, total


# %% softmax: a softmax of the scores with the gates as factors
# loses: open gates, gates, closed gates, gradients
def attend(query, key, value, forget):
    scores = query @ key.transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(row)
    left = torch.stack(rows, dim=1)
    scores = scores.exp()
    a = left * scores
    return a @ value / a.sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    matrix, total = forget[:, None, None] * matrix + written, forget[:, None] * total + key
    read = (query[:, :, None] * matrix).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    return read, matrix, total


# %% relu: features by a ReLU plus 1
# loses: open gates, gates, closed gates, step, gradients
def attend(query, key, value, forget):
    scores = (F.relu(query) + 1) @ (F.relu(key) + 1).transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(row)
    left = torch.stack(rows, dim=1)
    a = left * scores
    return a @ value / a.sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.relu(query) + 1, F.relu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    matrix, total = forget[:, None, None] * matrix + written, forget[:, None] * total + key
    read = (query[:, :, None] * matrix).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    return read, matrix, total


# %% divided: quotients of running products of the gates, which fail where a product is 0
# loses: closed gates
def attend(query, key, value, forget):
    scores = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(1, 2)
    product = forget.cumprod(dim=1)
    left = (product[:, :, None] / product[:, None]).tril()
    a = left * scores
    return a @ value / a.sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    matrix, total = forget[:, None, None] * matrix + written, forget[:, None] * total + key
    read = (query[:, :, None] * matrix).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    return read, matrix, total


# %% read_first: a step that reads before it writes
# loses: step, gradients
def attend(query, key, value, forget):
    scores = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(row)
    left = torch.stack(rows, dim=1)
    a = left * scores
    return a @ value / a.sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    read = (query[:, :, None] * (matrix + 0 * written)).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    matrix, total = forget[:, None, None] * matrix + written, forget[:, None] * total + key
    return read, matrix, total


# %% total_kept: a step in which the sum of the keys does not fade
# loses: step, gradients
def attend(query, key, value, forget):
    scores = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(row)
    left = torch.stack(rows, dim=1)
    a = left * scores
    return a @ value / a.sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    matrix, total = forget[:, None, None] * matrix + written, total + key
    read = (query[:, :, None] * matrix).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    return read, matrix, total


# %% matrix_kept: a step in which the matrix does not fade
# loses: step, gradients
def attend(query, key, value, forget):
    scores = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(row)
    left = torch.stack(rows, dim=1)
    a = left * scores
    return a @ value / a.sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    matrix, total = matrix + written, forget[:, None] * total + key
    read = (query[:, :, None] * matrix).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    return read, matrix, total


# %% new_fades: a step that fades what it has just written
# loses: step, gradients
def attend(query, key, value, forget):
    scores = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(row)
    left = torch.stack(rows, dim=1)
    a = left * scores
    return a @ value / a.sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    matrix, total = forget[:, None, None] * (matrix + written), forget[:, None] * (total + key)
    read = (query[:, :, None] * matrix).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    return read, matrix, total


# %% read_not_divided: a step whose output is not divided
# loses: step, gradients
def attend(query, key, value, forget):
    scores = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(row)
    left = torch.stack(rows, dim=1)
    a = left * scores
    return a @ value / a.sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    written = key[:, :, None] * value[:, None, :]
    matrix, total = forget[:, None, None] * matrix + written, forget[:, None] * total + key
    read = (query[:, :, None] * matrix).sum(dim=1)
    return read, matrix, total


# %% detached: a memory that no gradient passes
# loses: gradients
def attend(query, key, value, forget):
    scores = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(1, 2)
    row, rows = torch.zeros_like(forget), []
    for t in range(forget.shape[1]):
        row = forget[:, t : t + 1] * row
        row = torch.cat([row[:, :t], torch.ones_like(row[:, :1]), row[:, t + 1 :]], dim=1)
        rows.append(row)
    left = torch.stack(rows, dim=1)
    a = left * scores
    return a @ value / a.sum(dim=2, keepdim=True)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    matrix, total = matrix.detach(), total.detach()
    written = key[:, :, None] * value[:, None, :]
    matrix, total = forget[:, None, None] * matrix + written, forget[:, None] * total + key
    read = (query[:, :, None] * matrix).sum(dim=1)
    read = read / (query * total).sum(dim=1, keepdim=True)
    return read, matrix, total
