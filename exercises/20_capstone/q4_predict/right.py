"""Right answers to question 20.4."""


# %% loops: Counters, and the sums of least squares.
def measure(train, test, vocab, sizes, floor):
    from collections import Counter

    train, test, losses = [int(t) for t in train], [int(t) for t in test], []
    for size in sizes:
        pairs = Counter(zip(train[: size - 1], train[1:size]))
        begins = Counter(train[: size - 1])
        nats = [-math.log((pairs[a, b] + 1) / (begins[a] + vocab)) for a, b in zip(test, test[1:])]
        losses.append(sum(nats) / len(nats))
    x = [math.log(size) for size in sizes]
    y = [math.log(loss - floor) for loss in losses[:-1]]
    mean_x, mean_y = sum(x[:-1]) / len(y), sum(y) / len(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    slope /= sum((a - mean_x) ** 2 for a in x[:-1])
    predicted = floor + math.exp(mean_y + slope * (x[-1] - mean_x))
    return {"losses": losses, "predicted": predicted, "error": losses[-1] - predicted}


report = {"measured": 1.70823560, "predicted": 1.70905855, "error": -0.000822949555}


# %% torch: PyTorch's bincount and least squares.
def measure(train, test, vocab, sizes, floor):
    train, test = torch.as_tensor(train), torch.as_tensor(test)
    losses = []
    for size in sizes:
        pairs = train[: size - 1] * vocab + train[1:size]
        counts = torch.bincount(pairs, minlength=vocab**2).view(vocab, vocab).double() + 1
        log_p = counts.log() - counts.sum(dim=1, keepdim=True).log()
        losses.append(-log_p[test[:-1], test[1:]].mean())
    losses = torch.stack(losses)
    x = torch.tensor(sizes).double().log()
    design = torch.stack([torch.ones_like(x), x], dim=1)
    target = (losses[:-1] - floor).log()[:, None]
    line = torch.linalg.lstsq(design[:-1], target).solution
    predicted = floor + (design[-1] @ line).exp().item()
    return {"losses": losses, "predicted": predicted, "error": losses[-1] - predicted}


report = {"measured": 1.70823560, "predicted": 1.70905855, "error": -0.000822949555}
