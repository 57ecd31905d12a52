"""Right answers to question 05.7."""


# %% chapter: The chapter's step, with a mask.
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
            all_logits.append(logits)
            all_weights.append(alpha)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)


# %% by_hand: The cell from its weights, one source at a time, in float64.
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
        rows = []
        for b, n in enumerate(lengths.tolist()):
            source = h[b, :n].double()
            q, memory = state[0][b].double(), state[1][b].double()
            inner = torch.tanh(self.W.weight.double() @ q + source @ self.U.weight.double().T)
            alpha = torch.softmax(inner @ self.v.weight[0].double(), 0)
            context = alpha @ source
            read = torch.cat([self.words.weight[word[b]].double(), context])
            sums = self.g.weight_ih.double() @ read + self.g.weight_hh.double() @ q
            sums = sums + self.g.bias_ih.double() + self.g.bias_hh.double()
            enter, forget, new, show = sums.chunk(4)
            memory = forget.sigmoid() * memory + enter.sigmoid() * new.tanh()
            q = show.sigmoid() * memory.tanh()
            logits = self.F.weight.double() @ torch.cat([q, context]) + self.F.bias
            rows.append((logits, q, memory, F.pad(alpha, (0, h.shape[1] - n))))
        logits, q, memory, alpha = (torch.stack(parts) for parts in zip(*rows))
        return logits, (q, memory), alpha

    def forward(self, inputs, state, h, lengths):
        logits = torch.zeros(*inputs.shape, self.F.out_features, dtype=torch.float64)
        weights = torch.zeros(*inputs.shape, h.shape[1], dtype=torch.float64)
        for j in range(inputs.shape[1]):
            logits[:, j], state, weights[:, j] = self.step(inputs[:, j], state, h, lengths)
        return logits, weights


# %% keys_first: All U h first, Einstein sums, and the logits of all steps at once.
class Decoder(torch.nn.Module):

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def attend(self, q, keys, h, lengths):
        scores = torch.einsum("btk,k->bt", (self.W(q).unsqueeze(1) + keys).tanh(), self.v.weight[0])
        outside = torch.arange(h.size(1)).expand(len(h), -1) >= lengths.unsqueeze(1)
        scores = torch.where(outside, torch.tensor(-torch.inf, dtype=scores.dtype), scores)
        powers = (scores - scores.amax(1, keepdim=True)).exp()
        alpha = powers / powers.sum(1, keepdim=True)
        return torch.einsum("bt,btd->bd", alpha, h), alpha

    def step(self, word, state, h, lengths):
        A, alpha = self.attend(state[0], self.U(h), h, lengths)
        q, memory = self.g(torch.hstack((self.words(word), A)), state)
        return self.F(torch.hstack((q, A))), (q, memory), alpha

    def forward(self, inputs, state, h, lengths):
        keys, vectors = self.U(h), self.words(inputs)
        read, weights = [], []
        for j in range(inputs.size(1)):
            A, alpha = self.attend(state[0], keys, h, lengths)
            state = self.g(torch.hstack((vectors[:, j], A)), state)
            read.append(torch.hstack((state[0], A)))
            weights.append(alpha)
        return self.F(torch.stack(read, 1)), torch.stack(weights, 1)
