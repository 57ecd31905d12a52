# question 13.6
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    d, steps = x.shape[2], x.shape[1]
    width = d // n_heads

    def LN(y, n):
        mean = y.mean(dim=2, keepdim=True)
        spread = ((y - mean) ** 2).mean(dim=2, keepdim=True)
        y = (y - mean) / torch.sqrt(spread + 1e-5)
        return y * parameters[f"gain_{n}"] + parameters[f"bias_{n}"]

    def MHA(kind, a, c, hidden):
        q, k, v = (
            y @ parameters[f"{kind}_{letter}"]
            for y, letter in ((a, "q"), (c, "k"), (c, "v"))
        )
        found = []
        for first in range(0, d, width):
            part = slice(first, first + width)
            scores = torch.einsum("bid,bjd->bij", q[..., part], k[..., part])
            scores = scores / width**0.5
            scores = torch.where(hidden, float("-inf"), scores)
            found.append(torch.einsum("bij,bjd->bid", scores.softmax(-1), v[..., part]))
        return torch.cat(found, dim=-1) @ parameters[f"{kind}_o"]

    time = torch.arange(steps)
    o = LN(x + MHA("W", x, x, time[None, :] > time[:, None]), 1)
    o = LN(o + MHA("C", o, memory, ~memory_allowed[:, None, :]), 2)
    network = o @ parameters["W_1"] + parameters["b_1"]
    network = torch.where(network > 0, network, 0.0)
    return LN(o + network @ parameters["W_2"] + parameters["b_2"], 3)
