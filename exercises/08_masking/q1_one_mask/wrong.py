"""Named mistakes in question 08.1."""


# %% either: a key allowed where one condition holds instead of all
# loses: reach, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    parts = []
    if causal:
        parts.append((key <= query))
    if reach is not None:
        parts.append(key > query - reach)
    if lengths is not None:
        parts.append((key < lengths[:, None, None]).expand(-1, n_queries, -1))
    if not parts:
        return torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    allowed = parts[0]
    for part in parts[1:]:
        allowed = allowed | part
    return allowed


# %% first_positions: queries at the first positions instead of the last
# loses: last positions, reach, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_queries)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    allowed = torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    if causal:
        allowed = allowed & (key <= query)
    if reach is not None:
        allowed = allowed & (key > query - reach)
    if lengths is not None:
        allowed = allowed & (key < lengths[:, None, None])
    return allowed


# %% inverted: a mask that is True where a query may not attend
# loses: causal, last positions, reach, lengths, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    allowed = torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    if causal:
        allowed = allowed & (key <= query)
    if reach is not None:
        allowed = allowed & (key > query - reach)
    if lengths is not None:
        allowed = allowed & (key < lengths[:, None, None])
    return ~allowed


# %% last_keys: the last keys of each sequence taken for the real ones
# loses: lengths, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[:, None]
    key = torch.arange(n_keys)
    batch = 1 if lengths is None else len(lengths)
    mask = torch.ones(batch, n_queries, n_keys, dtype=torch.bool)
    if causal:
        mask = mask & (key <= query)
    if reach is not None:
        mask = mask & (query - key < reach)
    if lengths is not None:
        mask = mask & (key >= n_keys - lengths[:, None, None])
    return mask


# %% length_included: lengths that leave one key too many
# loses: lengths, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    allowed = torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    if causal:
        allowed = allowed & (key <= query)
    if reach is not None:
        allowed = allowed & (key > query - reach)
    if lengths is not None:
        allowed = allowed & (key <= lengths[:, None, None])
    return allowed


# %% lengths_causal: lengths that close later keys as well
# loses: lengths, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[:, None]
    key = torch.arange(n_keys)
    batch = 1 if lengths is None else len(lengths)
    mask = torch.ones(batch, n_queries, n_keys, dtype=torch.bool)
    if causal or lengths is not None:
        mask = mask & (key <= query)
    if reach is not None:
        mask = mask & (query - key < reach)
    if lengths is not None:
        mask = mask & (key < lengths[:, None, None])
    return mask


# %% no_batch: a mask without a batch dimension where there are no lengths
# loses: causal, last positions, reach
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[:, None]
    key = torch.arange(n_keys)
    batch = 1 if lengths is None else len(lengths)
    mask = torch.ones(batch, n_queries, n_keys, dtype=torch.bool)
    if causal:
        mask = mask & (key <= query)
    if reach is not None:
        mask = mask & (query - key < reach)
    if lengths is not None:
        mask = mask & (key < lengths[:, None, None])
    return mask if lengths is not None else mask[0]


# %% padded_queries: rows of the padding closed as well
# loses: lengths, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[:, None]
    key = torch.arange(n_keys)
    batch = 1 if lengths is None else len(lengths)
    mask = torch.ones(batch, n_queries, n_keys, dtype=torch.bool)
    if causal:
        mask = mask & (key <= query)
    if reach is not None:
        mask = mask & (query - key < reach)
    if lengths is not None:
        mask = mask & ((key < lengths[:, None, None]) & (query < lengths[:, None, None]))
    return mask


# %% reach_both_sides: a reach that counts to both sides
# loses: reach, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[:, None]
    key = torch.arange(n_keys)
    batch = 1 if lengths is None else len(lengths)
    mask = torch.ones(batch, n_queries, n_keys, dtype=torch.bool)
    if causal:
        mask = mask & (key <= query)
    if reach is not None:
        mask = mask & ((query - key).abs() < reach)
    if lengths is not None:
        mask = mask & (key < lengths[:, None, None])
    return mask


# %% reach_causal: a reach that closes later keys as well
# loses: reach, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    allowed = torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    if causal:
        allowed = allowed & (key <= query)
    if reach is not None:
        allowed = allowed & (key > query - reach) & (key <= query)
    if lengths is not None:
        allowed = allowed & (key < lengths[:, None, None])
    return allowed


# %% reach_more: a reach that counts the positions before the query only
# loses: reach, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    allowed = torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    if causal:
        allowed = allowed & (key <= query)
    if reach is not None:
        allowed = allowed & (key >= query - reach)
    if lengths is not None:
        allowed = allowed & (key < lengths[:, None, None])
    return allowed


# %% reach_needs_causal: a reach that acts with `causal` alone
# loses: reach, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[:, None]
    key = torch.arange(n_keys)
    batch = 1 if lengths is None else len(lengths)
    mask = torch.ones(batch, n_queries, n_keys, dtype=torch.bool)
    if causal:
        mask = mask & (key <= query)
    if reach is not None and causal:
        mask = mask & (query - key < reach)
    if lengths is not None:
        mask = mask & (key < lengths[:, None, None])
    return mask


# %% rows: lengths that close rows instead of columns
# loses: lengths, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    allowed = torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    if causal:
        allowed = allowed & (key <= query)
    if reach is not None:
        allowed = allowed & (key > query - reach)
    if lengths is not None:
        allowed = allowed & (query < lengths[:, None, None])
    return allowed


# %% strict: a causal mask that closes the diagonal too
# loses: causal, last positions, reach, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    allowed = torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    if causal:
        allowed = allowed & (key < query)
    if reach is not None:
        allowed = allowed & (key > query - reach)
    if lengths is not None:
        allowed = allowed & (key < lengths[:, None, None])
    return allowed


# %% transposed: a causal mask that sees the future instead of the past
# loses: causal, last positions, reach, together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    allowed = torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    if causal:
        allowed = allowed & (key >= query)
    if reach is not None:
        allowed = allowed & (key > query - reach)
    if lengths is not None:
        allowed = allowed & (key < lengths[:, None, None])
    return allowed


# %% lengths_alone: lengths that count only where there is no reach
# loses: together
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    allowed = torch.ones(1 if lengths is None else len(lengths), n_queries, n_keys, dtype=torch.bool)
    if causal:
        allowed = allowed & (key <= query)
    if reach is not None:
        allowed = allowed & (key > query - reach)
    elif lengths is not None:
        allowed = allowed & (key < lengths[:, None, None])
    return allowed


# %% zero_open: a length of 0 taken for no length at all
# loses: lengths
def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    query = torch.arange(n_keys - n_queries, n_keys)[None, :, None]
    key = torch.arange(n_keys)[None, None, :]
    allowed = torch.ones(1, n_queries, n_keys, dtype=torch.bool)
    if causal:
        allowed = allowed & (key <= query)
    if reach is not None:
        allowed = allowed & (key > query - reach)
    if lengths is not None:
        lengths = torch.where(lengths == 0, n_keys, lengths)
        allowed = allowed & (key < lengths[:, None, None])
    return allowed
