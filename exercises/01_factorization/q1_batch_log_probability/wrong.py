"""Named mistakes in question 01.1."""


# %% batch_maximum: one shift for the whole batch: the exponentials of a place far below it are zero
# loses: large logits, gradients
def sequence_log_prob(logits, tokens, lengths):
    largest = logits.max()
    totals = (logits - largest).exp().sum(-1).log() + largest
    log_probs = logits.gather(2, tokens[..., None])[..., 0] - totals
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return torch.where(inside, log_probs, 0.0).sum(1)


# %% bits: the log-probability in bits, not in nats
# loses: values, gradients
def sequence_log_prob(logits, tokens, lengths):
    log_probs = logits.log_softmax(-1).gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return (log_probs * inside).sum(1) / math.log(2)


# %% cut_at_128: sums over the first 128 places at most
# loses: values
def sequence_log_prob(logits, tokens, lengths):
    log_probs = logits.log_softmax(-1).gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) < lengths.clamp(max=128)[:, None]
    return (log_probs * inside).sum(1)


# %% detached: an answer from NumPy: no gradient flows back to the logits
# loses: gradients
def sequence_log_prob(logits, tokens, lengths):
    scores = logits.detach().numpy().astype(np.float64)
    log_probs = scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True)
    picked = np.take_along_axis(log_probs, tokens.numpy()[:, :, None], axis=-1)[..., 0]
    outside = np.arange(picked.shape[1]) >= lengths.numpy()[:, None]
    return torch.from_numpy(np.ma.masked_array(picked, outside).sum(axis=1).filled(0.0))


# %% empty_impossible: rows without tokens that have the probability 0 in place of 1
# loses: lengths
def sequence_log_prob(logits, tokens, lengths):
    log_probs = logits.log_softmax(-1).gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return (log_probs * inside).sum(1).masked_fill(lengths == 0, -math.inf)


# %% mean: the mean of the log-probabilities, not their sum
# loses: values, gradients
def sequence_log_prob(logits, tokens, lengths):
    log_probs = logits.log_softmax(-1).gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return (log_probs * inside).sum(1) / lengths.clamp(min=1)


# %% no_lengths: the sum over all places, the filling included
# loses: lengths, gradients
def sequence_log_prob(logits, tokens, lengths):
    return logits.log_softmax(-1).gather(2, tokens[..., None])[..., 0].sum(1)


# %% normalizer_detached: a normalizer that is detached: the gradient lacks the softmax
# loses: gradients
def sequence_log_prob(logits, tokens, lengths):
    log_probs = logits.gather(2, tokens[..., None])[..., 0] - logits.detach().logsumexp(-1)
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return torch.where(inside, log_probs, 0.0).sum(1)


# %% one_more: a sum that runs one place beyond the row's length
# loses: lengths, gradients
def sequence_log_prob(logits, tokens, lengths):
    log_probs = logits.log_softmax(-1).gather(2, tokens[..., None]).squeeze(2)
    inside = torch.arange(tokens.shape[1]) <= lengths[:, None]
    return (log_probs * inside).sum(1)


# %% remembered: a mask remembered by shape: the lengths of a later batch are not looked at
# loses: lengths, large logits, gradients
_inside = {}


def sequence_log_prob(logits, tokens, lengths):
    log_probs = logits.log_softmax(-1).gather(2, tokens[..., None])[..., 0]
    shape = tuple(tokens.shape)
    if shape not in _inside:
        _inside[shape] = torch.arange(tokens.shape[1]) < lengths[:, None]
    return torch.where(_inside[shape], log_probs, 0.0).sum(1)


# %% sign: the negative log-likelihood: the sign is wrong
# loses: values, gradients
def sequence_log_prob(logits, tokens, lengths):
    log_probs = logits.log_softmax(-1).gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return -(log_probs * inside).sum(1)


# %% squeezed: a squeeze() that removes the time axis, too, where there is one place only
# loses: values, gradients
def sequence_log_prob(logits, tokens, lengths):
    log_probs = logits.log_softmax(-1).gather(2, tokens[..., None]).squeeze()
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return (log_probs * inside).sum(-1)


# %% time_axis: a softmax over time instead of over the vocabulary
# loses: values, lengths, large logits, gradients
def sequence_log_prob(logits, tokens, lengths):
    log_probs = logits.log_softmax(1).gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return (log_probs * inside).sum(1)


# %% unnormalized: the sum of the raw logits: they are not normalized
# loses: values, large logits, gradients
def sequence_log_prob(logits, tokens, lengths):
    scores = logits.gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return (scores * inside).sum(1)


# %% unstable: the logarithm of a softmax computed first, which is log(0) for large logits
# loses: large logits, gradients
def sequence_log_prob(logits, tokens, lengths):
    probabilities = logits.softmax(-1).gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    return torch.where(inside, probabilities.log(), torch.zeros(())).sum(1)
