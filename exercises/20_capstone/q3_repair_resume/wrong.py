"""Named mistakes in question 20.3."""


# %% momentum_left: a momentum that begins at zero after each pause
# loses: momentum, together
def train(tokens, vocab, rows, peak, beta, steps, stop, state=None):
    generator = torch.Generator().manual_seed(0)
    if state is None:
        W = torch.zeros(vocab, vocab, dtype=torch.float64)
        momentum, first = torch.zeros_like(W), 0
    else:
        W, first = state["W"], state["step"]
        momentum = torch.zeros_like(W)
        generator.set_state(state["generator"])
    for step in range(first, stop):
        at = torch.randint(len(tokens) - 1, (rows,), generator=generator)
        error = W[tokens[at]].softmax(dim=1)
        error[torch.arange(rows), tokens[at + 1]] -= 1.0
        gradient = torch.zeros_like(W).index_add_(0, tokens[at], error / rows)
        momentum = beta * momentum + gradient
        W = W - peak * (1 - step / steps) * momentum
    return {
        "W": W,
        "momentum": momentum,
        "step": stop,
        "generator": generator.get_state(),
    }


# %% batches_left: batches that begin again after each pause
# loses: batches, together
def train(tokens, vocab, rows, peak, beta, steps, stop, state=None):
    generator = torch.Generator().manual_seed(0)
    if state is None:
        W = torch.zeros(vocab, vocab, dtype=torch.float64)
        momentum, first = torch.zeros_like(W), 0
    else:
        W, momentum, first = state["W"], state["momentum"], state["step"]
    for step in range(first, stop):
        at = torch.randint(len(tokens) - 1, (rows,), generator=generator)
        error = W[tokens[at]].softmax(dim=1)
        error[torch.arange(rows), tokens[at + 1]] -= 1.0
        gradient = torch.zeros_like(W).index_add_(0, tokens[at], error / rows)
        momentum = beta * momentum + gradient
        W = W - peak * (1 - step / steps) * momentum
    return {
        "W": W,
        "momentum": momentum,
        "step": stop,
        "generator": generator.get_state(),
    }


# %% step_left: a rate that begins at its peak after each pause
# loses: step, together
def train(tokens, vocab, rows, peak, beta, steps, stop, state=None):
    generator = torch.Generator().manual_seed(0)
    if state is None:
        W = torch.zeros(vocab, vocab, dtype=torch.float64)
        momentum, first = torch.zeros_like(W), 0
    else:
        W, momentum, first = state["W"], state["momentum"], state["step"]
        generator.set_state(state["generator"])
    for step in range(stop - first):
        at = torch.randint(len(tokens) - 1, (rows,), generator=generator)
        error = W[tokens[at]].softmax(dim=1)
        error[torch.arange(rows), tokens[at + 1]] -= 1.0
        gradient = torch.zeros_like(W).index_add_(0, tokens[at], error / rows)
        momentum = beta * momentum + gradient
        W = W - peak * (1 - step / steps) * momentum
    return {
        "W": W,
        "momentum": momentum,
        "step": stop,
        "generator": generator.get_state(),
    }


# %% kept_left: an update of the state's own table
# loses: kept, together
def train(tokens, vocab, rows, peak, beta, steps, stop, state=None):
    generator = torch.Generator().manual_seed(0)
    if state is None:
        W = torch.zeros(vocab, vocab, dtype=torch.float64)
        momentum, first = torch.zeros_like(W), 0
    else:
        W, momentum, first = state["W"], state["momentum"], state["step"]
        generator.set_state(state["generator"])
    for step in range(first, stop):
        at = torch.randint(len(tokens) - 1, (rows,), generator=generator)
        error = W[tokens[at]].softmax(dim=1)
        error[torch.arange(rows), tokens[at + 1]] -= 1.0
        gradient = torch.zeros_like(W).index_add_(0, tokens[at], error / rows)
        momentum = beta * momentum + gradient
        W -= peak * (1 - step / steps) * momentum
    return {
        "W": W,
        "momentum": momentum,
        "step": stop,
        "generator": generator.get_state(),
    }


# %% batches_of_the_step: a generator that is seeded by the step after each pause
# loses: batches, together
def train(tokens, vocab, rows, peak, beta, steps, stop, state=None):
    generator = torch.Generator().manual_seed(0)
    if state is None:
        W = torch.zeros(vocab, vocab, dtype=torch.float64)
        momentum, first = torch.zeros_like(W), 0
    else:
        W, momentum, first = state["W"], state["momentum"], state["step"]
        generator.manual_seed(first)
    for step in range(first, stop):
        at = torch.randint(len(tokens) - 1, (rows,), generator=generator)
        error = W[tokens[at]].softmax(dim=1)
        error[torch.arange(rows), tokens[at + 1]] -= 1.0
        gradient = torch.zeros_like(W).index_add_(0, tokens[at], error / rows)
        momentum = beta * momentum + gradient
        W = W - peak * (1 - step / steps) * momentum
    return {
        "W": W,
        "momentum": momentum,
        "step": stop,
        "generator": generator.get_state(),
    }


# %% rest_of_the_run: a rate that falls over the steps that are left
# loses: step, together
def train(tokens, vocab, rows, peak, beta, steps, stop, state=None):
    generator = torch.Generator().manual_seed(0)
    if state is None:
        W = torch.zeros(vocab, vocab, dtype=torch.float64)
        momentum, first = torch.zeros_like(W), 0
    else:
        W, momentum, first = state["W"], state["momentum"], state["step"]
        generator.set_state(state["generator"])
    for step in range(first, stop):
        at = torch.randint(len(tokens) - 1, (rows,), generator=generator)
        error = W[tokens[at]].softmax(dim=1)
        error[torch.arange(rows), tokens[at + 1]] -= 1.0
        gradient = torch.zeros_like(W).index_add_(0, tokens[at], error / rows)
        momentum = beta * momentum + gradient
        W = W - peak * (1 - (step - first) / (steps - first)) * momentum
    return {
        "W": W,
        "momentum": momentum,
        "step": stop,
        "generator": generator.get_state(),
    }


# %% one_step_twice: the last step before a pause done again after it
# loses: momentum, batches, step, kept, together
def train(tokens, vocab, rows, peak, beta, steps, stop, state=None):
    generator = torch.Generator().manual_seed(0)
    if state is None:
        W = torch.zeros(vocab, vocab, dtype=torch.float64)
        momentum, first = torch.zeros_like(W), 0
    else:
        W, momentum, first = state["W"], state["momentum"], state["step"]
        generator.set_state(state["generator"])
    for step in range(max(0, first - 1), stop):
        at = torch.randint(len(tokens) - 1, (rows,), generator=generator)
        error = W[tokens[at]].softmax(dim=1)
        error[torch.arange(rows), tokens[at + 1]] -= 1.0
        gradient = torch.zeros_like(W).index_add_(0, tokens[at], error / rows)
        momentum = beta * momentum + gradient
        W = W - peak * (1 - step / steps) * momentum
    return {
        "W": W,
        "momentum": momentum,
        "step": stop,
        "generator": generator.get_state(),
    }


# %% momentum_twice: the state's own momentum changed by going on
# loses: together
def train(tokens, vocab, rows, peak, beta, steps, stop, state=None):
    generator = torch.Generator().manual_seed(0)
    if state is None:
        W = torch.zeros(vocab, vocab, dtype=torch.float64)
        momentum, first = torch.zeros_like(W), 0
    else:
        W, momentum, first = state["W"], state["momentum"], state["step"]
        generator.set_state(state["generator"])
    for step in range(first, stop):
        at = torch.randint(len(tokens) - 1, (rows,), generator=generator)
        error = W[tokens[at]].softmax(dim=1)
        error[torch.arange(rows), tokens[at + 1]] -= 1.0
        gradient = torch.zeros_like(W).index_add_(0, tokens[at], error / rows)
        momentum.mul_(beta).add_(gradient)
        W = W - peak * (1 - step / steps) * momentum
    return {
        "W": W,
        "momentum": momentum,
        "step": stop,
        "generator": generator.get_state(),
    }
