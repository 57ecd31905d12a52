"""Named mistakes in question 05.7."""


# %% batch_axis: a softmax over the batch
# loses: weights, state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        scores = scores.masked_fill(~real, -1e9)
        alpha = scores.softmax(dim=0)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% context_before_state: the context before the state in what F reads
# loses: logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([A, state[0]], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% context_first: the context before the word in what the cell reads
# loses: state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([A, self.words(word)], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% exchanged: W and U exchanged
# loses: weights, state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.U(query)[:, None] + self.W(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% first_state_always: every step from the first state
# loses: pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, _, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% first_word_always: the first word at every step
# loses: pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs[:, :1].expand_as(inputs).unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% free_running: a decoder that reads its own words, in place of the true ones
# loses: pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        word = inputs[:, 0]
        for _ in range(inputs.shape[1]):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            word = logits.argmax(dim=1)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% keys_detached: states of the encoder that are detached
# loses: gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query, h = state[0], h.detach()
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% longest: the padding of the longest source for all
# loses: padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths.max().expand(len(h), 1)
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% luong: a dot product with the new state that goes to the output alone, as in Luong's decoder
# loses: weights, state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        none = torch.zeros_like(h[:, 0])
        state = self.g(torch.cat([self.words(word), none], dim=1), state)
        scores = (h @ state[0][:, :, None])[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% mask_after: weights of the padding set to 0 after the softmax: they no longer sum to 1
# loses: padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0]
        alpha = scores.softmax(dim=1) * real
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% mask_one_more: one place of the padding taken for real
# loses: padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) <= lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% mask_zero: scores of the padding set to 0, which is a score like others
# loses: padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, 0.0)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% mean_context: the mean of the real states as the context
# loses: state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (h * real[:, :, None]).sum(dim=1) / lengths[:, None]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% memory_asks: the memory as the query, in place of q
# loses: weights, state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[1]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% memory_out: logits from the memory in place of q
# loses: logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[1], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% new_state_asks: a query that has already read the word: the cell runs first, with the mean of the states
# loses: weights, state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        mean = h.mean(dim=1)
        query = self.g(torch.cat([self.words(word), mean], dim=1), state)[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% no_context: a cell that does not read the context
# loses: state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), 0 * A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% no_mask: padding that gets weights
# loses: padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0]
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% no_tanh: a score without tanh
# loses: weights, state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = (self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% no_word: a cell that does not read the word
# loses: state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([0 * A, A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% old_state_out: logits from the state before the step
# loses: logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([query, A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% one_ahead: steps that read the word that they have to write
# loses: pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.roll(-1, 1).unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% overflow: exponentials of the scores themselves, which overflow
# loses: padding
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.exp() / scores.exp().sum(dim=1, keepdim=True)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% probabilities: probabilities in place of logits
# loses: logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)).softmax(dim=1), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% projected_context: a context of the projected states U h
# loses: state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ self.U(h))[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% renormalized: padding set to 0 after the softmax, and the rest divided by its sum: 0 by 0 where the padding has it all
# loses: padding
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0]
        alpha = scores.softmax(dim=1) * real
        alpha = alpha / alpha.sum(dim=1, keepdim=True)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% scaled: scores divided by the root of the width
# loses: weights, state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0] / h.shape[2] ** 0.5
        scores = scores.masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% sigmoid: a logistic function of each score in place of the softmax
# loses: weights, state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.sigmoid()
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% small_mask: a finite number in place of minus infinity, and scores that are lower still
# loses: padding
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -100.0)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% state_alone: logits from the state without the context
# loses: logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], 0 * A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% state_detached: a state that is detached between the steps
# loses: gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            state = tuple(part.detach() for part in state)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% weights_detached: a context of detached weights
# loses: gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha.detach()[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% thirty_back: a state whose gradient goes back thirty steps and no further
# loses: gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            if len(all_logits) % 30 == 29:
                state = tuple(part.detach() for part in state)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% thousandth: weights below a thousandth set to 0
# loses: weights, state, logits, pass, padding, gradients
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.U(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        alpha = torch.where(alpha < 1e-3, 0.0, alpha)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% keys_kept: the projected states of an earlier source, where its shape is the same
# loses: weights, state, logits, pass
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def keys(self, h):
        if getattr(self, "kept", None) is None or self.kept.shape != h.shape:
            self.kept = self.U(h)
        return self.kept

    def step(self, word, state, h, lengths):
        real = torch.arange(h.shape[1]) < lengths[:, None]
        query = state[0]
        pairs = torch.tanh(self.W(query)[:, None] + self.keys(h))
        scores = self.v(pairs)[:, :, 0].masked_fill(~real, -math.inf)
        alpha = scores.softmax(dim=1)
        A = (alpha[:, None] @ h)[:, 0]
        state = self.g(torch.cat([self.words(word), A], dim=1), state)
        return self.F(torch.cat([state[0], A], dim=1)), state, alpha

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, alpha = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)
