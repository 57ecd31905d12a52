# question 07.3
# wrong: the values are split by the width of queries and keys
# differs: heads of width 2 with values of width 3
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    k = W_q.shape[1] // n_heads
    v = k
    found = []
    for h in range(n_heads):
        q = torch.einsum("btm,mk->btk", x, W_q[:, h * k : (h + 1) * k])
        keys = torch.einsum("btm,mk->btk", x, W_k[:, h * k : (h + 1) * k])
        values = torch.einsum("btm,mk->btk", x, W_v[:, h * v : (h + 1) * v])
        scores = torch.einsum("bik,bjk->bij", q / k**0.5, keys)
        alpha = torch.exp(scores - scores.logsumexp(dim=-1, keepdim=True))
        a = torch.einsum("bij,bjv->biv", alpha, values)
        found.append(a if gate is None else gate[h] * a)
    return torch.cat(found, dim=-1) @ W_o[: n_heads * v]
