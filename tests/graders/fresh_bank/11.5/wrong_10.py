# question 11.5
# wrong: the logarithm is taken of a softmax, which is 0 for scores in the thousands
# differs: rate 5000, a pair of the test that train does not have: infinity instead of thousands
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
    n = counts.sum(dim=1, keepdim=True)
    V = torch.zeros(vocab, vocab, dtype=torch.float64)
    learned, done = [], 0
    for wanted in steps:
        for _ in range(wanted - done):
            V = V - rate * (n * V.softmax(dim=1) - counts) / counts.sum()
        done = wanted
        q = V.softmax(dim=1)
        learned.append(-q[test[:-1], test[1:]].log().mean().item())
    first = next((s for s, l in zip(steps, learned) if l < counting), -1)
    return {"counting": counting, "learned": learned, "first": first}


report = {
    "counting": 1.8312,
    "best": 1.8127,
    "last": 1.9034,
    "first": 10,
}
