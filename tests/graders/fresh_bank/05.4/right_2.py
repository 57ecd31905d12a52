# question 05.4
def decode(x, keys, lengths, W_x, W_h, W_out):
    batch, steps, _ = x.shape
    logits, weights = [], []
    for b in range(batch):
        T = int(lengths[b])
        h = keys[b, :T]
        q, qs = h[-1], []
        for j in range(steps):
            q = torch.tanh(W_x @ x[b, j] + W_h @ q)
            qs.append(q)
        Q = torch.stack(qs)
        alpha = torch.softmax(Q @ h.T, dim=-1)
        logits.append(torch.cat([alpha @ h, Q], dim=-1) @ W_out.T)
        weights.append(F.pad(alpha, (0, keys.shape[1] - T)))
    return torch.stack(logits), torch.stack(weights)
