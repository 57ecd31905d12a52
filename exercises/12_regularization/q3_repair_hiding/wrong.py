"""Named mistakes in question 12.3."""


# %% detached_in_use: no gradient outside training
# loses: gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors.detach()
    rows = row_mask[tokens] / (1 - row_rate)
    return vectors * rows[..., None] * word_mask[..., None]


# %% divided_by_rate: rows divided by the rate
# loses: rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / row_rate if row_rate > 0 else row_mask[tokens]
    return vectors * rows[..., None] * word_mask[..., None]


# %% either: words hidden only where both masks hide them
# loses: words, rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    seen = torch.maximum(row_mask[tokens], word_mask)
    return vectors * seen[..., None] / (1 - row_rate)


# %% epsilon_in_divisor: a small number added to the divisor
# loses: rows
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / (1 - row_rate + 1e-6)
    return vectors * rows[..., None] * word_mask[..., None]


# %% inverted: masks of which 1 hides
# loses: words, rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    rows = (1 - row_mask)[tokens] / (1 - row_rate)
    return vectors * rows[..., None] * (1 - word_mask)[..., None]


# %% nothing_at_rate_0: no row hidden where the rate is 0
# loses: rows
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / (1 - row_rate) if row_rate > 0 else torch.ones_like(word_mask)
    return vectors * rows[..., None] * word_mask[..., None]


# %% rows_by_share: rows scaled by the share of rows that is kept
# loses: rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] / row_mask.mean()
    return vectors * rows[..., None] * word_mask[..., None]


# %% rows_not_scaled: rows that are not scaled
# loses: rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    return vectors * row_mask[tokens][..., None] * word_mask[..., None]


# %% scaled_down: rows multiplied by what the rate leaves
# loses: rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    rows = row_mask[tokens] * (1 - row_rate)
    return vectors * rows[..., None] * word_mask[..., None]


# %% scaled_in_use: vectors scaled down in use instead of up in training
# loses: in use, rows, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors * (1 - row_rate)
    return vectors * row_mask[tokens][..., None] * word_mask[..., None]


# %% training_last: hiding words outside training as well
# loses: in use, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens] * word_mask[..., None]
    if not training:
        return vectors
    return vectors * (row_mask[tokens] / (1 - row_rate))[..., None]


# %% words_scaled: words scaled by the share that is kept
# loses: words, both, gradient
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    vectors = vectors * word_mask[..., None] / word_mask.mean()
    return vectors * (row_mask[tokens] / (1 - row_rate))[..., None]


# %% first_hundred: words hidden in the first hundred places alone
# loses: words
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    vectors = table[tokens]
    if not training:
        return vectors
    words = torch.cat([word_mask[:, :100], torch.ones_like(word_mask[:, 100:])], 1)
    return vectors * (row_mask[tokens] / (1 - row_rate) * words)[..., None]


# %% wrapped: tokens kept as bytes, so that those above 255 are others
# loses: rows
def hide(table, tokens, word_mask, row_mask, row_rate, training):
    tokens = tokens % 256
    vectors = table[tokens]
    if not training:
        return vectors
    return vectors * (row_mask[tokens] / (1 - row_rate) * word_mask)[..., None]
