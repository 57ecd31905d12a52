# question 05.7
# wrong: the logits come from the state before the step
# differs: random parameters, one step: the logits only
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
        context, weights = context[:, 0], weights[:, 0]
        logits = self.F(torch.cat([q, context], dim=1))
        q, memory = self.g(torch.cat([self.words(word), context], dim=1), (q, memory))
        return logits, (q, memory), weights

    def forward(self, inputs, state, h, lengths):
        all_logits, all_weights = [], []
        for word in inputs.unbind(dim=1):
            logits, state, weights = self.step(word, state, h, lengths)
            all_logits.append(logits)
            all_weights.append(weights)
        return torch.stack(all_logits, dim=1), torch.stack(all_weights, dim=1)
