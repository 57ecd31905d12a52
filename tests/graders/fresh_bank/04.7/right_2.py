# question 04.7
class GRUModel(torch.nn.Module):
    """A language model whose cell is a GRU with a state of d numbers."""

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        d = h.shape[1]
        W, b = self.gates.weight, self.gates.bias
        gates = torch.sigmoid(x @ W[:, :d].T + h @ W[:, d:].T + b)
        r, z = gates[:, :d], gates[:, d:]
        W, b = self.candidate.weight, self.candidate.bias
        n = torch.tanh(x @ W[:, :d].T + (r * h) @ W[:, d:].T + b)
        return n + z * (h - n)

    def forward(self, tokens):
        batch, time = tokens.shape
        weight = self.output.weight
        h = torch.zeros(batch, weight.shape[1], dtype=weight.dtype)
        logits = []
        for column in tokens.T:
            h = self.step(self.word(column), h)
            logits.append(self.output(h)[:, None])
        return torch.cat(logits, dim=1)


def loss_on(model, rows):
    real = rows[:, 1:] >= 0
    words = torch.where(rows < 0, 0, rows)
    log_probs = model(words[:, :-1]).log_softmax(dim=-1)
    right = log_probs.gather(2, words[:, 1:, None])[:, :, 0]
    return -right[real].sum() / real.sum()


def update(model, loss, optimizer):
    parameters = [p for p in model.parameters() if p.requires_grad]
    for p in parameters:
        p.grad = None
    loss.backward()
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = sum((g**2).sum() for g in gradients) ** 0.5
    if norm > 1:
        for g in gradients:
            g /= norm
    optimizer.step()
    return norm
