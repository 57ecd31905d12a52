"""Right answers to question 02.1."""


# %% buffers: Results written into a buffer, position by position, by an object that keeps the sums.
class Sums:
    def __init__(self, batch, k, d):
        self.read, self.written = torch.zeros(k, batch), torch.zeros(d, batch)

    def __call__(self, t, token, V, c, W, b):
        self.written = torch.addmm(self.written, W[t], (c[t, :, None] + self.read).sigmoid_())
        self.read = self.read + V[t, :, token]
        return self.written + b[t, :, None]


def nade_scores(tokens, V, c, W, b):
    step = Sums(len(tokens), *V.shape[1:])
    scores = torch.empty(tokens.shape[1], V.shape[2], len(tokens))
    for t, token in enumerate(tokens.T):
        scores[t] = step(t, token, V, c, W, b)
    return scores.permute(2, 0, 1)


# %% literal: The equation as it stands, in four loops.
def nade_scores(tokens, V, c, W, b):
    rows = []
    for row in tokens.tolist():
        hidden, scores = [], []
        for t in range(len(row)):
            total = c[t].clone()
            for s in range(t):
                total += V[s][:, row[s]]
            hidden.append(total.sigmoid())
            f = b[t].clone()
            for s in range(t + 1):
                f += W[s] @ hidden[s]
            scores.append(f)
        rows.append(torch.stack(scores))
    return torch.stack(rows)


# %% float64: In float64, with the sigmoid as a hyperbolic tangent.
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    V, c, W, b = (a[:time].double() for a in (V, c, W, b))
    columns = V[torch.arange(time), :, tokens]
    read = torch.cat([torch.zeros_like(columns[:, :1]), columns.cumsum(1)[:, :-1]], dim=1)
    hidden = (1 + torch.tanh((c + read) / 2)) / 2
    written = torch.matmul(W, hidden[..., None])[..., 0]
    return b + written.cumsum(1)


# %% running_sums: Running sums by cumsum, columns by one-hot products.
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    one_hot = torch.nn.functional.one_hot(tokens, V.shape[2]).to(V.dtype)
    terms = torch.einsum("tkd,btd->btk", V[:time], one_hot)
    hidden = torch.sigmoid(c[:time] + terms.cumsum(1) - terms)
    return b[:time] + torch.einsum("tdk,btk->btd", W[:time], hidden).cumsum(1)


# %% triangle: Both sums as products with a triangle of ones.
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    columns = torch.stack([V[s].T[tokens[:, s]] for s in range(time)], dim=1)
    strict = torch.ones(time, time, dtype=V.dtype).tril(-1)
    hidden = torch.sigmoid(c[:time] + torch.einsum("ts,bsk->btk", strict, columns))
    written = torch.einsum("sdk,bsk->bsd", W[:time], hidden)
    return b[:time] + torch.einsum("ts,bsd->btd", strict + torch.eye(time, dtype=V.dtype), written)


# %% vmap: One sequence, with embedding bags for columns, mapped over the batch.
def nade_scores(tokens, V, c, W, b):
    time = tokens.shape[1]
    V, c, W, b = (parameter[:time] for parameter in (V, c, W, b))
    before = torch.arange(time) < torch.arange(time).unsqueeze(1)

    def of_one(row):
        columns = torch.take_along_dim(V, row[:, None, None], dim=2).squeeze(2)
        hidden = torch.special.expit(c + before.to(V.dtype) @ columns)
        return b + (W @ hidden.unsqueeze(2)).squeeze(2).cumsum(dim=0)

    return torch.func.vmap(of_one)(tokens)
