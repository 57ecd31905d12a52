# question 11.5
def measure(train, test, vocab, rate, steps):
    def nats(W, text):
        z = W[text[:-1]]
        return (z.logsumexp(dim=1) - z.gather(1, text[1:, None])[:, 0]).mean().item()

    counts = torch.zeros(vocab, vocab, dtype=torch.float64)
    for a, b in zip(train[:-1].tolist(), train[1:].tolist()):
        counts[a, b] += 1
    n = counts.sum(dim=1, keepdim=True)
    counting = nats(((counts + 1) / (n + vocab)).log(), test)

    W = torch.zeros(vocab, vocab, dtype=torch.float64)
    learned, done = [], 0
    for wanted in steps:
        for _ in range(int(wanted) - done):
            W = W - rate * (n * W.softmax(dim=1) - counts) / (len(train) - 1)
        done = int(wanted)
        learned.append(nats(W, test))
    first = next((s for s, l in zip(steps, learned) if l < counting), -1)
    return {"counting": counting, "learned": learned, "first": first}


report = {
    "counting": 1.8312,
    "best": 1.8127,
    "last": 1.9034,
    "first": 10,
}
