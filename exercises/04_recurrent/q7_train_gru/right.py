"""Right answers to question 04.7."""


# %% by_hand: Matrices cut in two, the log-softmax, the mean and the clipping written out.
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        d = h.shape[1]
        W, V = self.gates.weight, self.candidate.weight
        gates = torch.sigmoid(x @ W[:, :d].T + h @ W[:, d:].T + self.gates.bias)
        reset, keep = gates[:, :d], gates[:, d:]
        new = x @ V[:, :d].T + (reset * h) @ V[:, d:].T + self.candidate.bias
        return keep * h + new.tanh() * (1 - keep)

    def forward(self, tokens):
        h = self.word.weight.new_zeros(len(tokens), self.word.embedding_dim)
        logits = []
        for t in range(tokens.shape[1]):
            h = self.step(self.word.weight[tokens[:, t]], h)
            logits.append(self.output(h)[:, None])
        return torch.cat(logits, dim=1)


def loss_on(model, rows):
    inputs, targets = rows[:, :-1], rows[:, 1:]
    real = targets != -1
    logits = model(torch.where(inputs == -1, 0, inputs))[real]
    log_p = logits - logits.logsumexp(dim=1, keepdim=True)
    return -log_p[torch.arange(len(log_p)), targets[real]].sum() / real.sum()


def update(model, loss, optimizer):
    loss.backward()
    reached = [p for p in model.parameters() if p.grad is not None]
    norm = sum((p.grad**2).sum() for p in reached).sqrt()
    if norm > 1:
        for p in reached:
            p.grad = p.grad / norm
    optimizer.step()
    optimizer.zero_grad()
    return norm.item()


# %% one_text: One text after the other, in double precision, and autograd.grad.
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        both = self.gates(torch.cat((x, h), -1))
        reset, keep = torch.sigmoid(both).split(h.shape[-1], -1)
        new = torch.tanh(self.candidate(torch.cat((x, reset * h), -1)))
        return torch.lerp(new, h, keep)

    def forward(self, tokens):
        rows = []
        for text in tokens:
            h = torch.zeros_like(self.output.weight[:1])
            states = []
            for token in text:
                h = self.step(self.word(token)[None], h)
                states.append(h)
            rows.append(torch.cat(states))
        return self.output(torch.stack(rows))


def loss_on(model, rows):
    total, count = 0.0, 0
    for row in rows:
        text = row[row >= 0]
        log_p = model(text[None, :-1])[0].double().log_softmax(dim=-1)
        total = total - log_p.gather(1, text[1:, None]).sum()
        count += len(text) - 1
    return total / count


def update(model, loss, optimizer):
    parameters = list(model.parameters())
    gradients = torch.autograd.grad(loss, parameters)
    norm = torch.stack([g.norm() for g in gradients]).norm()
    for parameter, gradient in zip(parameters, gradients):
        parameter.grad = gradient / max(1.0, float(norm))
    optimizer.step()
    return norm


# %% sums: A loop of unpacked columns, cross-entropies without reduction, a mask of weights.
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        gates = torch.special.expit(self.gates(torch.hstack([x, h])))
        reset, keep = torch.tensor_split(gates, 2, dim=1)
        new = self.candidate(torch.hstack([x, reset * h])).tanh()
        return new + keep * (h - new)

    def forward(self, tokens):
        state, states = None, []
        for x in self.word(tokens.T):
            state = self.step(x, 0 * x if state is None else state)
            states.append(state)
        return self.output(torch.stack(states)).transpose(0, 1)


def loss_on(model, rows):
    inputs, targets = rows.clamp(min=0)[:, :-1], rows.clamp(min=0)[:, 1:]
    each = F.cross_entropy(model(inputs).mT, targets, reduction="none")
    weights = (rows[:, 1:] >= 0).to(each.dtype)
    return (each * weights).sum() / weights.sum()


def update(model, loss, optimizer):
    model.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1)
    optimizer.step()
    return norm.detach()
