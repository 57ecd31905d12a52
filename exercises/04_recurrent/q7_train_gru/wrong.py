"""Named mistakes in question 04.7."""


# %% always_scaled: a gradient that is scaled to norm 1 even if it is smaller
# loses: update
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), math.inf)
    for parameter in model.parameters():
        parameter.grad /= norm
    optimizer.step()
    return norm


# %% backwards: the word before the one that is read as the target
# loses: loss, gradients, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, 1:].clamp(min=0), rows[:, :-1].masked_fill(
        rows[:, 1:] < 0, -1
    )
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% bits: bits in place of nats
# loses: loss, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1) / math.log(2)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% by_texts: the mean of each text first, then the mean of the texts
# loses: loss, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).mT
    each = F.cross_entropy(logits, targets, ignore_index=-1, reduction="none")
    return (each.sum(dim=1) / (targets >= 0).sum(dim=1)).mean()


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% clip_each: each parameter's gradient clipped by itself
# loses: update
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), math.inf)
    for parameter in model.parameters():
        torch.nn.utils.clip_grad_norm_(parameter, 1.0)
    optimizer.step()
    return norm


# %% clip_early: clipping before backward has computed the gradient
# loses: update
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return norm


# %% clip_values: each number of the gradient clipped to between -1 and 1, in place of the norm
# loses: update
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), math.inf)
    torch.nn.utils.clip_grad_value_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% clipped_norm: the norm after clipping, in place of the one before
# loses: update
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm.clamp(max=1.0)


# %% gates_exchanged: the two gates exchanged
# loses: cell, text, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        z, r = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% gates_interleaved: gates cut out in turn, the first number for r, the second for z
# loses: cell, text, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        gates = self.gates(torch.cat([x, h], dim=1)).sigmoid()
        r, z = gates[:, ::2], gates[:, 1::2]
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% h_before_x: the state before x in the vector of the sums
# loses: cell, text, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([h, x], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([r * h, x], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% keep_exchanged: the shares of the old state and of the candidate exchanged
# loses: cell, text, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return z * n + (1 - z) * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% keeps_state: a text that begins with the state that the one before it has left
# loses: text
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = getattr(self, "h", None)
        if h is None or h.shape != words[:, 0].shape:
            h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        self.h = h.detach()
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% last_for_all: the last state for every place
# loses: text, gradients, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack([h] * len(states), dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% logistic_candidate: a logistic candidate in place of tanh
# loses: cell, text, gradients, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).sigmoid()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% no_carry: a state of zeros at every step
# loses: text, gradients, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            states.append(self.step(x, h))
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% no_clip: a gradient that is not clipped, or only after the optimizer's step
# loses: update
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), math.inf)
    optimizer.step()
    return norm


# %% no_reset: a candidate that reads the whole state, without the reset gate
# loses: cell, text, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% no_step: parameters that stay as they are: no step, or gradients set to zero before it
# loses: update, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    return norm


# %% no_zero_grad: gradients that add up from update to update
# loses: update, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% one_behind: logits from the state before the word is read
# loses: text, gradients, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            states.append(h)
            h = self.step(x, h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% over_all_places: a sum over the real targets, divided by all places, padding included
# loses: loss, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    total = F.cross_entropy(
        logits, targets.flatten(), ignore_index=-1, reduction="sum"
    )
    return total / targets.numel()


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% own_step: plain gradient descent with the optimizer's rate, whatever the optimizer is
# loses: update, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= optimizer.param_groups[0]["lr"] * parameter.grad
    return norm


# %% padding_counted: padding counted as a target, word 0
# loses: loss, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    rows = rows.clamp(min=0)
    inputs, targets = rows[:, :-1], rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% reads_state_detached: an output layer that reads detached states
# loses: gradients, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1).detach())


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% reset_after: a state that is reset after the candidate's matrix, as in PyTorch's GRU
# loses: cell, text, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        d = h.shape[1]
        W = self.candidate.weight
        n = F.linear(x, W[:, :d], self.candidate.bias)
        n = (n + r * F.linear(h, W[:, d:])).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% reset_all: a reset gate that acts on x as well
# loses: cell, text, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([r * x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% softmax_twice: probabilities taken for logits
# loses: loss, gradients, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1).softmax(dim=1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% squared_norm: the squared norm, returned and compared with 1
# loses: update
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), math.inf) ** 2
    for parameter in model.parameters():
        parameter.grad /= norm.clamp(min=1.0)
    optimizer.step()
    return norm


# %% state_detached: a state that is detached at every step
# loses: gradients, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h.detach())
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% sum: a sum in place of the mean
# loses: loss, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1, reduction="sum")


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% unshifted: targets that are not shifted: the word that is read
# loses: loss, gradients, learns
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, :-1]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% zero_ignored: word 0 ignored along with the padding
# loses: loss, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    targets = targets.flatten()
    targets = targets.masked_fill(targets == 0, -1)
    return F.cross_entropy(logits, targets, ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% eight_bits: numbers of words kept in eight bits
# loses: text, gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens % 256)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% thirty_back: a gradient that goes back thirty words and no further
# loses: gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for t, x in enumerate(words.unbind(dim=1)):
            h = h.detach() if t % 30 == 29 else h
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm


# %% eight_bits_of_rows: numbers of words in the rows kept in eight bits
# loses: gradients
class GRUModel(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.word = torch.nn.Embedding(n_words, d)
        self.gates = torch.nn.Linear(2 * d, 2 * d)  # W_g and b_g
        self.candidate = torch.nn.Linear(2 * d, d)  # W_n and b_n
        self.output = torch.nn.Linear(d, n_words)

    def step(self, x, h):
        r, z = self.gates(torch.cat([x, h], dim=1)).sigmoid().chunk(2, dim=1)
        n = self.candidate(torch.cat([x, r * h], dim=1)).tanh()
        return (1 - z) * n + z * h

    def forward(self, tokens):
        words = self.word(tokens)
        h = torch.zeros_like(words[:, 0])
        states = []
        for x in words.unbind(dim=1):
            h = self.step(x, h)
            states.append(h)
        return self.output(torch.stack(states, dim=1))


def loss_on(model, rows):
    inputs, targets = rows[:, :-1].clamp(min=0), torch.where(rows[:, 1:] < 0, -1, rows[:, 1:] % 256)
    logits = model(inputs).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=-1)


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return norm
