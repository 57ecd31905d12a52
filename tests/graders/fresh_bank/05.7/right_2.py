# question 05.7
class Decoder(torch.nn.Module):
    """Bahdanau's decoder for padded sources."""

    def __init__(self, n_words, d):
        super().__init__()
        self.words = torch.nn.Embedding(n_words, d)
        self.W = torch.nn.Linear(d, d, bias=False)
        self.U = torch.nn.Linear(d, d, bias=False)
        self.v = torch.nn.Linear(d, 1, bias=False)
        self.g = torch.nn.LSTMCell(2 * d, d)
        self.F = torch.nn.Linear(2 * d, n_words)

    def look(self, q, from_h, h, lengths):
        """The context and the weights; from_h is U of the states h."""
        scores = self.v(torch.tanh(self.W(q).unsqueeze(1) + from_h)).squeeze(2)
        places = torch.arange(h.shape[1])
        padding = places >= lengths.unsqueeze(1)
        weights = scores.masked_fill(padding, float("-inf")).softmax(dim=1)
        return torch.bmm(weights.unsqueeze(1), h).squeeze(1), weights

    def move(self, word, state, from_h, h, lengths):
        A, weights = self.look(state[0], from_h, h, lengths)
        y = self.words(word)
        q, memory = self.g(torch.cat((y, A), -1), tuple(state))
        return self.F(torch.cat((q, A), -1)), (q, memory), weights

    def step(self, word, state, h, lengths):
        return self.move(word, state, self.U(h), h, lengths)

    def forward(self, inputs, state, h, lengths):
        steps, from_h, rows = inputs.shape[1], self.U(h), []
        for j in range(steps):
            logits, state, weights = self.move(
                inputs[:, j], state, from_h, h, lengths
            )
            rows.append((logits, weights))
        logits, weights = zip(*rows)
        return torch.stack(logits, 1), torch.stack(weights, 1)
