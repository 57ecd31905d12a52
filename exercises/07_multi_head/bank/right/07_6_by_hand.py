"""Indices of the shared heads, and a softmax by hand."""


def pool_heads(W, n_heads, n_shared):
    width = W.shape[1] // n_heads
    share = torch.zeros(n_heads, n_shared, dtype=W.dtype)
    for h in range(n_heads):
        share[h, h * n_shared // n_heads] = n_shared / n_heads
    return torch.einsum("dhw,hg->dgw", W.view(-1, n_heads, width), share).reshape(len(W), -1)


def grouped_attention(query, key, value):
    which = torch.arange(query.shape[1]) * key.shape[1] // query.shape[1]
    scores = torch.einsum("bhik,bhjk->bhij", query, key[:, which]) * query.shape[3] ** -0.5
    allowed = torch.ones(scores.shape[2:], dtype=torch.bool).tril(key.shape[2] - query.shape[2])
    scores = scores.masked_fill(~allowed, -1e30)
    powers = (scores - scores.amax(-1, keepdim=True).detach()).exp()
    return powers @ value[:, which] / powers.sum(-1, keepdim=True)
