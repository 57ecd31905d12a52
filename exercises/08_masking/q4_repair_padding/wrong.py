"""Named mistakes in question 08.4."""


# %% blind_uniform: equal weights where nothing may be attended to
# loses: weights, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None, :]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed | nothing, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()


# %% detached: weights cut off from their gradient
# loses: finite, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None, :]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed | nothing, 0.0, -math.inf)
    return 0 * scores + (scores + bias).softmax(dim=2).detach().masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()


# %% divided_by_all: real positions summed and divided by all
# loses: loss, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None, :]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed | nothing, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2).masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].sum() / nats.numel()


# %% equal_where_nothing: equal weights where nothing may be attended to, on all positions
# loses: weights
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed, 0.0, -1e30)
    return torch.where(allowed, scores, bias).softmax(dim=2)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()


# %% mean: a loss averaged over the padding too, the other two mended
# loses: loss, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None, :]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed | nothing, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2).masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats.mean()


# %% mean_of_rows: the mean of the rows' means instead of that over all real positions
# loses: loss, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed | nothing, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2).masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return ((nats * real).sum(1) / real.sum(1).clamp(min=1)).sum() / real.any(1).sum()


# %% nan: NaN replaced after the softmax, the other two mended
# loses: finite, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None, :]
    bias = torch.where(allowed, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2).nan_to_num()


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()


# %% no_past: the padding closed and the future open
# loses: reach, weights, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = (past | True) & real[:, None, :]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed | nothing, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2).masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()


# %% only_mean: the loss mended, the other two mistakes left
# loses: reach, finite, weights, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, :, None]
    bias = torch.where(allowed, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2).nan_to_num()


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()


# %% only_nan: the NaN mended, the other two mistakes left
# loses: reach, loss, weights, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, :, None]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed | nothing, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2).masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats.mean()


# %% only_rows: the columns mended, the other two mistakes left
# loses: loss, finite, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None, :]
    bias = torch.where(allowed, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2).nan_to_num()


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats.mean()


# %% rows_closed: rows of padding closed instead of columns, the other two mended
# loses: reach, weights, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, :, None]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed | nothing, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2).masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()


# %% rows_closed_too: rows of the padding closed as well, which attend to real positions
# loses: weights, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None] & real[:, :, None]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed | nothing, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2).masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()


# %% sees_itself: positions that see themselves, padding or not
# loses: weights, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & (real[:, None, :] | torch.eye(time, dtype=torch.bool))
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed | nothing, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()


# %% small_mask: a finite number in place of minus infinity, and scores that are lower still
# loses: weights
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed, 0.0, -100.0)
    return (scores + bias).softmax(dim=2).masked_fill(~allowed, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()


# %% ten_thousand: 10,000 subtracted from hidden scores in place of minus infinity
# loses: weights
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None, :]
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed, 0.0, -1e4)
    return (scores + bias).softmax(dim=2).masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()
