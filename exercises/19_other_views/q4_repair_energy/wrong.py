"""Named mistakes in question 19.4."""


# %% overflow: exponentials that overflow, the rest mended
# loses: large scores, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.exp().sum(dim=2).log() / beta
    own = state.square().sum(dim=2) / 2
    longest = patterns.square().sum(dim=2).amax(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% no_inverse: a smooth maximum that is not divided by beta, the rest mended
# loses: at zero, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2)
    own = state.square().sum(dim=2) / 2
    longest = patterns.square().sum(dim=2).amax(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% whole_square: the state's whole square in place of half of it, the rest mended
# loses: square, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2) / beta
    own = state.square().sum(dim=2)
    longest = patterns.square().sum(dim=2).amax(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% mean_length: the mean of the squared lengths in place of the largest, the rest mended
# loses: longest, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2) / beta
    own = state.square().sum(dim=2) / 2
    longest = patterns.square().sum(dim=2).mean(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% only_overflow: the overflow alone mended
# loses: at zero, square, longest, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2)
    own = state.square().sum(dim=2)
    longest = patterns.square().sum(dim=2).mean(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% only_inverse: the division by beta alone mended
# loses: square, longest, large scores, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.exp().sum(dim=2).log() / beta
    own = state.square().sum(dim=2)
    longest = patterns.square().sum(dim=2).mean(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% only_square: the half alone mended
# loses: at zero, longest, large scores, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.exp().sum(dim=2).log()
    own = state.square().sum(dim=2) / 2
    longest = patterns.square().sum(dim=2).mean(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% only_longest: the longest pattern alone mended
# loses: at zero, square, large scores, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.exp().sum(dim=2).log()
    own = state.square().sum(dim=2)
    longest = patterns.square().sum(dim=2).amax(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% first_pattern: the length of the first pattern in place of the longest
# loses: longest, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2) / beta
    own = state.square().sum(dim=2) / 2
    longest = patterns[:, :1].square().sum(dim=2) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% longest_of_all: the longest pattern of the whole batch
# loses: at zero, longest, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2) / beta
    own = state.square().sum(dim=2) / 2
    longest = patterns.square().sum(dim=2).amax() / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% longest_not_squared: the length of the longest pattern without its square
# loses: at zero, longest, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2) / beta
    own = state.square().sum(dim=2) / 2
    longest = patterns.norm(dim=2).amax(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% times_beta: a smooth maximum multiplied by beta
# loses: at zero, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2) * beta
    own = state.square().sum(dim=2) / 2
    longest = patterns.square().sum(dim=2).amax(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% log_n_whole: the logarithm of N without the division by beta
# loses: at zero, together
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2) / beta
    own = state.square().sum(dim=2) / 2
    longest = patterns.square().sum(dim=2).amax(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) + longest


# %% no_log_n: no logarithm of N
# loses: at zero, square, longest, together
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2) / beta
    own = state.square().sum(dim=2) / 2
    longest = patterns.square().sum(dim=2).amax(dim=1, keepdim=True) / 2
    return own - smooth_maximum + longest


# %% maximum: the largest score in place of the smooth maximum
# loses: at zero, square, longest, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.amax(dim=2) / beta
    own = state.square().sum(dim=2) / 2
    longest = patterns.square().sum(dim=2).amax(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% detached_longest: a longest pattern without a gradient
# loses: gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2) / beta
    own = state.square().sum(dim=2) / 2
    longest = patterns.detach().square().sum(dim=2).amax(dim=1, keepdim=True) / 2
    return own - smooth_maximum + math.log(patterns.shape[1]) / beta + longest


# %% sign: a smooth maximum that is added
# loses: at zero, square, longest, large scores, together, gradients
def energy(state, patterns, beta):
    scores = beta * (state @ patterns.transpose(1, 2))
    smooth_maximum = scores.logsumexp(dim=2) / beta
    own = state.square().sum(dim=2) / 2
    longest = patterns.square().sum(dim=2).amax(dim=1, keepdim=True) / 2
    return own + smooth_maximum + math.log(patterns.shape[1]) / beta + longest
