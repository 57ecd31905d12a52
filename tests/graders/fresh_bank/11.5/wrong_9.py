# question 11.5
# wrong: the matrix is trained in float32
# differs: 100 steps at rate 5: losses are off in the seventh digit
def measure(train, test, vocab, rate, steps):
    eye = torch.eye(vocab, dtype=torch.float64)
    W = torch.zeros(vocab, vocab, dtype=torch.float64, requires_grad=True)

    def loss(text):
        return next_token_loss(W[text[:-1]][None], eye, text[None, 1:])
    counts = torch.zeros(vocab, vocab, dtype=torch.float64)
    for a, b in zip(train[:-1].tolist(), train[1:].tolist()):
        counts[a, b] += 1
    p = (counts + 1) / (counts.sum(dim=1, keepdim=True) + vocab)
    counting = -p[test[:-1], test[1:]].log().mean().item()
    W = torch.zeros(vocab, vocab, requires_grad=True)
    learned, done = [], 0
    for wanted in steps:
        for _ in range(wanted - done):
            z = W[train[:-1]].log_softmax(dim=1)
            value = -z.gather(1, train[1:, None]).mean()
            gradient, = torch.autograd.grad(value, W)
            with torch.no_grad():
                W -= rate * gradient
        done = wanted
        with torch.no_grad():
            z = W[test[:-1]].log_softmax(dim=1)
            learned.append(-z.gather(1, test[1:, None]).mean().item())
    first = next((s for s, l in zip(steps, learned) if l < counting), -1)
    return {"counting": counting, "learned": learned, "first": first}


report = {
    "counting": 1.8312,
    "best": 1.8127,
    "last": 1.9034,
    "first": 10,
}
