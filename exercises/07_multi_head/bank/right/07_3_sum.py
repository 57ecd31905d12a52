"""A sum over heads, as the note writes it."""


def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    k, v = W_q.shape[1] // n_heads, W_v.shape[1] // n_heads
    total = torch.zeros_like(x)
    for h in range(n_heads):
        keys, values = slice(h * k, (h + 1) * k), slice(h * v, (h + 1) * v)
        scores = (x @ W_q[:, keys]) @ (x @ W_k[:, keys]).transpose(1, 2) * k**-0.5
        message = torch.softmax(scores, 2) @ (x @ W_v[:, values]) @ W_o[values]
        total = total + (message if gate is None else gate[h] * message)
    return total
