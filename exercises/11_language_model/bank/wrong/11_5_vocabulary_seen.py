"""a vocabulary that ends with the largest token of both texts"""


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
