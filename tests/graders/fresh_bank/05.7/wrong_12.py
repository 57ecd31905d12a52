# question 05.7
# wrong: weights below 1/100 are cut to 0, and the rest does not sum to 1
# differs: two letters with scores 0 and 6: the first weight is 0 instead of 0.0025
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

    def step(self, word, state, h, lengths):
        q, memory = state
        context, weights = additive_attention(
            q[:, None], h, lengths, self.W.weight, self.U.weight, self.v.weight[0]
        )
        weights = torch.where(weights >= 0.01, weights, 0.0)
        context = weights @ h
        context, weights = context[:, 0], weights[:, 0]
        q, memory = self.g(torch.cat([self.words(word), context], dim=1), (q, memory))
        logits = self.F(torch.cat([q, context], dim=1))
        return logits, (q, memory), weights

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, weights = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(weights)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)
