"""Right answers to question 11.5."""


# %% numpy: NumPy with the gradient by hand.
def measure(train, test, vocab, rate, steps):
    a, b = train.numpy()[:-1], train.numpy()[1:]
    c, d = test.numpy()[:-1], test.numpy()[1:]
    pairs = np.zeros((vocab, vocab))
    np.add.at(pairs, (a, b), 1.0)
    seen = pairs.sum(axis=1, keepdims=True)
    counting = -np.log((pairs + 1) / (seen + vocab))[c, d].mean()
    W, learned, done = np.zeros((vocab, vocab)), [], 0
    for goal in steps:
        while done < goal:
            P = np.exp(W - W.max(axis=1, keepdims=True))
            P /= P.sum(axis=1, keepdims=True)
            W = W + rate * (pairs - seen * P) / len(a)
            done += 1
        top = W.max(axis=1)
        log_sum = np.log(np.exp(W - top[:, None]).sum(axis=1)) + top
        learned.append((log_sum[c] - W[c, d]).mean())
    first = -1
    for goal, nats in zip(steps, learned):
        if nats < counting and first < 0:
            first = goal
    return {"counting": counting, "learned": learned, "first": first}


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}


# %% sgd: An optimizer of PyTorch, without the function of 11.2.
def measure(train, test, vocab, rate, steps):
    table = torch.nn.Parameter(torch.zeros(vocab, vocab, dtype=torch.float64))
    optimizer = torch.optim.SGD([table], lr=rate)
    learned = {}

    def nats(text):
        return torch.nn.functional.cross_entropy(table[text[:-1]], text[1:])

    for step in range(max(steps)):
        optimizer.zero_grad()
        nats(train).backward()
        optimizer.step()
        learned[step + 1] = nats(test).item()
    total = 0.0
    for a, b in zip(test[:-1].tolist(), test[1:].tolist()):
        before = train[:-1] == a
        both = (before & (train[1:] == b)).sum().item()
        total -= math.log((both + 1) / (before.sum().item() + vocab))
    counting = total / (len(test) - 1)
    ahead = (step for step in steps if learned[step] < counting)
    return {
        "counting": counting,
        "learned": [learned[step] for step in steps],
        "first": next(ahead, -1),
    }


report = {"counting": 1.895357, "best": 1.857242, "last": 2.024811, "first": 30}
