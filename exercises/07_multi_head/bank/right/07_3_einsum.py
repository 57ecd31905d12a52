"""Einstein sums, heads in a dimension of their own in every matrix."""


def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (torch.einsum("btd,dhw->bhtw", x, W.unflatten(1, (n_heads, -1))) for W in (W_q, W_k, W_v))
    alpha = (torch.einsum("bhiw,bhjw->bhij", q, k) / q.shape[-1] ** 0.5).softmax(-1)
    found = torch.einsum("bhij,bhjw->bhiw", alpha, v)
    gate = torch.ones(n_heads, dtype=x.dtype) if gate is None else gate
    return torch.einsum("bhiw,hwd,h->bid", found, W_o.unflatten(0, (n_heads, -1)), gate)
