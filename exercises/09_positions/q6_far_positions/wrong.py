"""Named mistakes in question 09.6."""


# %% fixed_base: the base 10000, whatever `base` is
# loses: bases
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (query_positions - query_positions[0]).double())
    k = rotate(key[:, None], (key_positions - query_positions[0]).double())
    return (q @ k.transpose(-1, -2))[:, 0]


# %% float32: positions in float32
# loses: far
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], query_positions.float(), base)
    k = rotate(key[:, None], key_positions.float(), base)
    return (q @ k.transpose(-1, -2))[:, 0]


# %% float32_below: float32 positions below a trillion, with whole-number differences only from there on
# loses: far
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    origin = query_positions[0]
    if origin < 10**12:
        origin, query_positions, key_positions = origin.float(), query_positions.float(), key_positions.float()
    q = rotate(query[:, None], (query_positions - origin).double(), base)
    k = rotate(key[:, None], (key_positions - origin).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]


# %% float64: positions in float64
# loses: far
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], query_positions.double(), base)
    k = rotate(key[:, None], key_positions.double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]


# %% int32: positions in int32, which wraps around at 2**31, before they are subtracted
# loses: far
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    origin = query_positions[0].int()
    q = rotate(query[:, None], query_positions.int().double() - origin.double(), base)
    k = rotate(key[:, None], key_positions.int().double() - origin.double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]


# %% only_keys: keys turned and queries not
# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], torch.zeros(query.shape[1]), base)
    k = rotate(key[:, None], (key_positions - query_positions[0]).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]


# %% other_way: distances with the other sign, the key's position minus the query's
# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (key_positions[0] - query_positions).double(), base)
    k = rotate(key[:, None], (key_positions[0] - key_positions).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]


# %% own_minima: the smallest position of the queries as their origin, that of the keys as theirs
# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (query_positions - query_positions.min()).double(), base)
    k = rotate(key[:, None], (key_positions - key_positions.min()).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]


# %% own_origins: an origin of its own for queries and for keys
# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (query_positions - query_positions[0]).double(), base)
    k = rotate(key[:, None], (key_positions - key_positions[0]).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]


# %% remainders: remainders of the positions, which part neighbors where they wrap around
# loses: far
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (query_positions % 10**7).double(), base)
    k = rotate(key[:, None], (key_positions % 10**7).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]


# %% rows: the positions 0, 1, 2, ... whatever is given
# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], torch.arange(len(query_positions)).double(), base)
    k = rotate(key[:, None], torch.arange(len(key_positions)).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]


# %% short_table: distances that end at 512, as those of a table do
# loses: far
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    distance = (query_positions[:, None] - key_positions).clamp(-512, 512)
    columns = []
    for i, row in enumerate(distance):
        moved = rotate(key[:, None], -row.double(), base)[:, 0]
        columns.append((moved * query[:, i : i + 1]).sum(-1))
    return torch.stack(columns, 1)


# %% sum: angles that add up in the score
# loses: near, far, bases, gradients
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    q = rotate(query[:, None], (query_positions - query_positions[0]).double(), base)
    k = rotate(key[:, None], (query_positions[0] - key_positions).double(), base)
    return (q @ k.transpose(-1, -2))[:, 0]
