# question 07.3
# wrong: heads whose gate is 0 are skipped, so that their gate gets no gradient
# differs: 2 heads, gate [0., 1.]: the gradient of gate[0] is 0
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    k = W_q.shape[1] // n_heads
    v = W_v.shape[1] // n_heads
    found = []
    for h in range(n_heads):
        if gate is not None and gate[h] == 0:
            found.append(x.new_zeros(x.shape[0], x.shape[1], v))
            continue
        q = torch.einsum("btm,mk->btk", x, W_q[:, h * k : (h + 1) * k])
        keys = torch.einsum("btm,mk->btk", x, W_k[:, h * k : (h + 1) * k])
        values = torch.einsum("btm,mk->btk", x, W_v[:, h * v : (h + 1) * v])
        scores = torch.einsum("bik,bjk->bij", q / k**0.5, keys)
        alpha = torch.exp(scores - scores.logsumexp(dim=-1, keepdim=True))
        a = torch.einsum("bij,bjv->biv", alpha, values)
        found.append(a if gate is None else gate[h] * a)
    return torch.cat(found, dim=-1) @ W_o
