# question 11.5
# wrong: pairs are learned one after another, one step for each, and not all in one step
# differs: train with three pairs or more; right for one pair
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
    learned, done = [], 0
    for wanted in steps:
        for _ in range(wanted - done):
            for a, b in zip(train[:-1].tolist(), train[1:].tolist()):
                with torch.no_grad():
                    g = W[a].softmax(dim=0)
                    g[b] -= 1
                    W[a] -= rate * g / (len(train) - 1)
        done = wanted
        learned.append(loss(test).item())
    first = next((s for s, l in zip(steps, learned) if l < counting), -1)
    return {"counting": counting, "learned": learned, "first": first}


report = {
    "counting": 1.8312,
    "best": 1.8127,
    "last": 1.9034,
    "first": 10,
}
