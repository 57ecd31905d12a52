"""Named mistakes in question 18.5."""


# %% other_root: scores divided by the root of the words' width, the rest mended
# loses: width, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / words.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (rows, columns))


# %% keys_as_values: keys in place of values, the rest mended
# loses: values, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_k
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (rows, columns))


# %% filling_in_mean: a mean that takes the filling in, the rest mended
# loses: filling, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    mean = (weights @ value).mean(dim=1)
    return mean, weights.unflatten(2, (rows, columns))


# %% turned_maps: maps whose rows are as long as the picture's columns, the rest mended
# loses: maps, together
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (columns, rows))


# %% only_root: the root alone mended
# loses: values, filling, maps, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_k
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    mean = (weights @ value).mean(dim=1)
    return mean, weights.unflatten(2, (columns, rows))


# %% only_values: the values alone mended
# loses: width, filling, maps, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / words.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    mean = (weights @ value).mean(dim=1)
    return mean, weights.unflatten(2, (columns, rows))


# %% only_mean: the mean alone mended
# loses: width, values, maps, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_k
    scores = query @ key.transpose(1, 2) / words.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (columns, rows))


# %% only_maps: the maps alone mended
# loses: width, values, filling, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_k
    scores = query @ key.transpose(1, 2) / words.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    mean = (weights @ value).mean(dim=1)
    return mean, weights.unflatten(2, (rows, columns))


# %% no_root: scores that are not divided by any root
# loses: width, values, filling, maps, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2)
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (rows, columns))


# %% no_square_root: scores divided by k in place of its root
# loses: width, values, filling, maps, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / key.shape[2]
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (rows, columns))


# %% over_words: a softmax over the words in place of the cells
# loses: width, values, filling, maps, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=1)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (rows, columns))


# %% divided_by_time: a mean without the filling, divided by the number of places with it
# loses: filling, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.mean(dim=1)
    return mean, weights.unflatten(2, (rows, columns))


# %% divided_by_lengths: a mean with the filling, divided by the number of words
# loses: filling, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (rows, columns))


# %% one_word_more: a mean that takes the first place of the filling in
# loses: filling, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) <= lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (rows, columns))


# %% by_columns: maps that are filled column by column
# loses: maps, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (columns, rows)).transpose(2, 3)


# %% sum_of_words: the sum over the words in place of their mean
# loses: width, values, filling, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1)
    return mean, weights.unflatten(2, (rows, columns))


# %% first_picture: the first picture for all questions
# loses: width, values, filling, maps, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells[:1].expand_as(cells).flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, cells @ w_v
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (rows, columns))


# %% exchanged: queries and keys that get each other's matrix
# loses: width, values, filling, maps, together, gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_k, cells @ w_q, cells @ w_v
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (rows, columns))


# %% detached_values: values without a gradient
# loses: gradients
def look(words, lengths, cells, w_q, w_k, w_v):
    rows, columns = cells.shape[1:3]
    cells = cells.flatten(1, 2)
    query, key, value = words @ w_q, cells @ w_k, (cells @ w_v).detach()
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    weights = scores.softmax(dim=2)
    counts = torch.arange(words.shape[1]) < lengths[:, None]
    seen = weights @ value * counts[:, :, None]
    mean = seen.sum(dim=1) / lengths[:, None]
    return mean, weights.unflatten(2, (rows, columns))
