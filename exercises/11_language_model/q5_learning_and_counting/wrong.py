"""Named mistakes in question 11.5."""


# %% add_half: counts to which a half is added
# loses: counting, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.full((vocab, vocab), 0.5, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% before_the_step: losses from before the step
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
            W -= rate * gradient
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% behind: the first of the steps at which learning is behind
# loses: first, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats > counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% best_so_far: the least loss so far in place of the loss
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    learned = np.minimum.accumulate(learned).tolist()
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% best_step: the best of the steps, whether ahead or not
# loses: first, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": steps[learned.index(min(learned))],
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% columns: counts that are normalized over the token before
# loses: counting, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(0, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% counts_transposed: counts of the token before, given the one behind it
# loses: counting, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[1:], train[:-1]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% gradients_add_up: gradients that are added up from step to step
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        loss.backward()
        gradient = W.grad
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% half_rate: half of the rate
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= 0.5 * rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% joint: the probabilities of pairs, not of the second token given the first
# loses: counting, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum()).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% last_ahead: the last of the steps at which learning is ahead
# loses: first, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[-1] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% last_counted: counts of tokens that hold the text's last one too
# loses: counting, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (
        counts / (torch.bincount(train, minlength=vocab)[:, None] + vocab)
    ).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% log_of_mean: the logarithm of the mean probability of the counts
# loses: counting, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].exp().mean().log().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% log_of_softmax: the logarithm of a softmax
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                chosen = W.softmax(1)[test[:-1], test[1:]]
                learned.append(-chosen.log().mean().item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% no_smoothing: counts to which a thousandth is added
# loses: counting, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.full((vocab, vocab), 1e-3, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% one_in_all: 1 added once to the sum of a row, not for each token
# loses: counting, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / (counts.sum(1, keepdim=True) - vocab + 1)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% one_step_more: losses after one step more
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% pairs_once: pairs that count once, however often they occur
# loses: counting, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), 1 + one)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% place: the place in the list in place of the number of steps
# loses: first, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": steps.index(ahead[0]) if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% report_exchanged_texts: a report of the run with the texts exchanged
# loses: reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.675121,
    "best": 1.657780,
    "last": 1.659444,
    "first": 100,
}


# %% report_first_best: the first of the losses in place of the best
# loses: reported losses
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 2.393762, "last": 2.024811, "first": 30}


# %% report_of_training: losses of the training text in the report
# loses: reported losses
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.5711, "best": 1.0433, "last": 1.0433, "first": 30}


# %% report_place: a place in the list in the report
# loses: reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 3}


# %% report_rate_1: a report of the run at rate 1
# loses: reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.863179,
    "last": 1.863179,
    "first": 100,
}


# %% report_two_digits: numbers with two digits after the point
# loses: reported losses
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.90, "best": 1.86, "last": 2.02, "first": 30}


# %% row_means: a descent of each row's mean loss
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            rows = counts.sum(1, keepdim=True) - vocab
            W -= rate * gradient * (len(train) - 1) / rows.clamp(min=1)
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% steps_add_up: steps that are taken on top of one another
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, sum(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in np.cumsum(steps):
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% sum_descended: a descent of the sum of the losses
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient * (len(train) - 1)
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% test_counted: counts of both texts
# loses: counting, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    more = torch.ones(len(test) - 1, dtype=torch.float64)
    counts.index_put_((test[:-1], test[1:]), more, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% train_scored: losses of the training text
# loses: counting, learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[train[:-1], train[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[train[None, :-1]]
                loss = next_token_loss(outputs, table, train[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% training_loss: losses of the training text after each number of steps
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[train[None, :-1]]
                loss = next_token_loss(outputs, table, train[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% transposed: a table that predicts the token before
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, 1:]], table, train[None, :-1])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, 1:]]
                loss = next_token_loss(outputs, table, test[None, :-1])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% typed: numbers that were typed, and a function that measures nothing
# loses: counting, learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    return {"counting": 1.5, "learned": [2.0] * len(steps), "first": -1}


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% vocabulary_seen: a vocabulary that ends with the largest token of both texts
# loses: counting, learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    vocab = int(torch.cat([train, test]).max()) + 1
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {
    "counting": 1.895357,
    "best": 1.857242,
    "last": 2.024811,
    "first": 30,
}


# %% zero: 0 where learning is never ahead
# loses: first, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)
    table = torch.eye(vocab, dtype=torch.float64)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else 0,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% single: a table that is learned in float32
# loses: learned, first, reported losses, reported first
def measure(train, test, vocab, rate, steps):
    counts = torch.ones(vocab, vocab, dtype=torch.float64)
    one = torch.ones(len(train) - 1, dtype=torch.float64)
    counts.index_put_((train[:-1], train[1:]), one, accumulate=True)
    log_probs = (counts / counts.sum(1, keepdim=True)).log()
    counting = -log_probs[test[:-1], test[1:]].mean().item()

    W = torch.zeros(vocab, vocab, requires_grad=True)
    table = torch.eye(vocab)
    learned = []
    for step in range(1, max(steps) + 1):
        loss = next_token_loss(W[train[None, :-1]], table, train[None, 1:])
        (gradient,) = torch.autograd.grad(loss, W)
        with torch.no_grad():
            W -= rate * gradient
            if step in steps:
                outputs = W[test[None, :-1]]
                loss = next_token_loss(outputs, table, test[None, 1:])
                learned.append(loss.item())
    ahead = [step for step, nats in zip(steps, learned) if nats < counting]
    return {
        "counting": counting,
        "learned": learned,
        "first": ahead[0] if ahead else -1,
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}
