"""Named mistakes in question 11.2."""


# %% all_places: the sum over the targets that count, divided by all places
# loses: padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.sum() / targets.numel()


# %% bits: the loss in bits
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean() / math.log(2)


# %% both_branches: two branches, one of which has a gradient of NaN
# loses: large scores
def next_token_loss(z, E, targets):
    s = z @ E.T
    m = s.amax(-1)
    plain = s.exp().sum(-1).log()
    shifted = m + (s - m[..., None]).exp().sum(-1).log()
    lse = torch.where(s.abs().amax(-1) < 50, plain, shifted)
    k = targets != -100
    return (lse[k] - s[k].gather(1, targets[k][:, None])[:, 0]).mean()


# %% clamped: log-probabilities of -10,000 at least
# loses: large scores
def next_token_loss(z, E, targets):
    lp = (z @ E.T).log_softmax(-1)
    k = targets != -100
    return -lp[k].gather(1, targets[k][:, None]).clamp(min=-1e4).mean()


# %% detached: a loss that gets no gradient
# loses: gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean().detach() + 0 * (z.sum() + E.sum())


# %% detached_outputs: outputs that get no gradient
# loses: gradients
def next_token_loss(z, E, targets):
    log_probs = (z.detach() @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% detached_table: a table that gets no gradient
# loses: gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.detach().T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% empty_rows_zero: the mean of the rows' means, 0 for a row of padding
# loses: padding, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = (targets != -100).to(z.dtype)
    chosen = log_probs.gather(2, targets.clamp(min=0)[..., None])[..., 0]
    rows = (chosen * counts).sum(dim=1) / counts.sum(dim=1).clamp(min=1)
    return -rows.mean()


# %% first_token: padding that counts as token 0
# loses: padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    targets = targets.clamp(min=0)
    counts = targets > -1
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% last_token: padding that counts as the last token
# loses: padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    targets = targets.clone()
    targets[targets == -100] = len(E) - 1
    counts = targets > -1
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% log_of_mean: the logarithm of the mean probability
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.exp().mean().log()


# %% log_of_softmax: the logarithm of a softmax, with a tiny number added
# loses: large scores
def next_token_loss(z, E, targets):
    log_probs = ((z @ E.T).softmax(dim=-1) + 1e-12).log()
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% mean_of_rows: the mean of the rows' means
# loses: padding, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = (targets != -100).to(z.dtype)
    chosen = log_probs.gather(2, targets.clamp(min=0)[..., None])[..., 0]
    rows = counts.sum(dim=1) > 0
    means = (chosen * counts).sum(dim=1)[rows] / counts.sum(dim=1)[rows]
    return -means.mean()


# %% over_batch: the softmax over the batch in place of tokens
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=0)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% over_batch_size: the sum divided by the number of rows
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.sum() / len(z)


# %% over_time: the softmax over places in place of tokens
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% overflow: the softmax without a shift, and its logarithm
# loses: large scores
def next_token_loss(z, E, targets):
    log_probs = ((z @ E.T).exp() / (z @ E.T).exp().sum(-1, keepdim=True)).log()
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% perplexity: the perplexity, the exponential of the loss
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return (-chosen.mean()).exp()


# %% places_first: targets that are read place by place, outputs row by row
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1).flatten(0, 1)
    targets = targets.T.flatten()
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% plain_log_of_softmax: the logarithm of a softmax
# loses: large scores
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).softmax(dim=-1).log()
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% probability: one minus the mean probability of the targets
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return 1 - chosen.exp().mean()


# %% scaled: scores divided by the root of the width
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T / z.shape[-1] ** 0.5).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% shifted_again: targets that are shifted once more
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    targets = targets.roll(-1, dims=1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% sign: the mean log-probability, which is negative
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return chosen.mean()


# %% sum: the sum in place of the mean
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.sum()


# %% token_0_dropped: a loss that leaves out token 0 as well
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets > 0
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% twice: a softmax of the softmax
# loses: values, padding, large scores, gradients
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).softmax(dim=-1).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.mean()


# %% two_at_least: a sum that is divided by two at least, also where one target counts
# loses: padding
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None])
    return -chosen.sum() / counts.sum().clamp(min=2)


# %% wrapped: tokens kept as bytes, so that those above 255 are others
# loses: values
def next_token_loss(z, E, targets):
    log_probs = (z @ E.T).log_softmax(dim=-1)
    counts = targets != -100
    chosen = log_probs[counts].gather(1, targets[counts][:, None] % 256)
    return -chosen.mean()
