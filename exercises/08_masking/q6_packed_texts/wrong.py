"""Named mistakes in question 08.6."""


# %% at_most_ten_texts: ten texts in a row at the most
# loses: mask, positions, attention, gradients
def packed_mask(document):
    batch, time = document.shape
    real = document >= 0
    hot = F.one_hot(document.clamp(min=0, max=9), num_classes=10).float()
    hot = hot * real[:, :, None]
    same = hot @ hot.transpose(1, 2) > 0
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    return same & causal


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query = query.masked_fill(padding, 0.0)
    key = key.masked_fill(padding, 0.0)
    value = value.masked_fill(padding, 0.0)
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% from_one: positions counted from 1
# loses: positions
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return packed_mask(document).sum(dim=2)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% in_a_byte: numbers of texts that are kept in a byte, where 3 and 259 are one
# loses: mask, positions, attention, gradients
def packed_mask(document):
    padding, document = document < 0, document.to(torch.uint8)
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & ~padding[:, :, None] & ~padding[:, None, :]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% huge_left: NaN and infinity of the padding replaced, and its other numbers left
# loses: gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.nan_to_num(0.0, 0.0, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% mask_after: the mask applied after the softmax
# loses: attention, rubbish, gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.softmax(dim=2) * allowed
    return (weights @ value).masked_fill(padding, 0.0)


# %% minus_one: padding at position -1
# loses: positions
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% nan_to_num: NaN replaced in the output only
# loses: rubbish, gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).nan_to_num().masked_fill(padding, 0.0)


# %% no_past: texts kept apart, and the future open
# loses: mask, positions, attention, rubbish, gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% no_scale: attention without the 1/sqrt(d) scale
# loses: attention, gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2)
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% one_text: a causal mask over the whole row, across the texts
# loses: mask, positions, attention, rubbish, gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% padding_counted: positions of the padding counted on from the text before
# loses: positions
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    place = torch.arange(document.shape[1]).expand(document.shape)
    begins = F.pad(document[:, 1:] != document[:, :-1], (1, 0), value=True)
    begins = begins & (document >= 0)
    return place - torch.where(begins, place, 0).cummax(dim=1).values


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% padding_text: padding treated as one more text
# loses: mask, positions
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% row_positions: positions counted along the whole row
# loses: positions
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return torch.arange(document.shape[1]).expand(document.shape).masked_fill(document < 0, 0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% rubbish: padding that is masked, and still multiplied by its weight of zero
# loses: rubbish, gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% small_mask: a finite number in place of minus infinity, and scores that are lower still
# loses: rubbish, gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -100.0).softmax(dim=2).masked_fill(~allowed, 0.0)
    return (weights @ value).masked_fill(padding, 0.0)


# %% times_zero: padding multiplied by 0, which leaves NaN
# loses: rubbish, gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part * ~padding for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% values_left: the values of the padding left as they are
# loses: rubbish, gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key = (part.masked_fill(padding, 0.0) for part in (query, key))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% full_rows_open: a text that fills its row, in which nothing is masked
# loses: mask, attention, gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    full = same.all(dim=2).all(dim=1)[:, None, None]
    return same & (causal | full) & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).tril().sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)


# %% full_batches_open: a batch of which one text fills each row, in which nothing is masked
# loses: mask, attention, gradients
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    causal = make_mask(document.shape[1], document.shape[1], causal=True)
    if same.all() and (document >= 0).all():
        return same
    return same & causal & (document >= 0)[:, :, None]


def packed_positions(document):
    return (packed_mask(document).tril().sum(dim=2) - 1).clamp(min=0)


def packed_attention(query, key, value, document):
    padding = (document < 0)[:, :, None]
    query, key, value = (part.masked_fill(padding, 0.0) for part in (query, key, value))
    allowed = packed_mask(document) | padding
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return (weights @ value).masked_fill(padding, 0.0)
