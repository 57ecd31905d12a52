# question 13.6
# wrong: the self-attention's mask knows 64 words, later ones are open
# differs: a target of 100 words
def norm(x, gain, bias):
    return torch.nn.functional.layer_norm(x, x.shape[-1:], gain, bias, 1e-5)


def heads_of(a, n_heads):
    batch, time, d = a.shape
    return a.view(batch, time, n_heads, d // n_heads).transpose(1, 2)


def multi_head(a, c, matrices, n_heads, allowed):
    """allowed: bool, broadcast to (batch, heads, queries, keys)."""
    M_q, M_k, M_v, M_o = matrices
    query = heads_of(a @ M_q, n_heads)
    key = heads_of(c @ M_k, n_heads)
    value = heads_of(c @ M_v, n_heads)
    scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
    return (weights @ value).transpose(1, 2).flatten(2) @ M_o


def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p = parameters
    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    causal[:, 64:] = True
    real = memory_allowed[:, None, None, :]
    W = [p["W_" + letter] for letter in "qkvo"]
    C = [p["C_" + letter] for letter in "qkvo"]

    o = norm(x + multi_head(x, x, W, n_heads, causal), p["gain_1"], p["bias_1"])
    o = norm(o + multi_head(o, memory, C, n_heads, real), p["gain_2"], p["bias_2"])
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], p["gain_3"], p["bias_3"])
