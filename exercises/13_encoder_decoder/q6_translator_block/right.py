"""Right answers to question 13.6."""


# %% einsum: Einstein sums for the heads, exponentials by hand, in double precision.
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    kind, d = x.dtype, x.shape[2]
    P = {name: value.double() for name, value in parameters.items()}
    k = d // n_heads

    def heads(y, matrix):
        return torch.einsum("btd,dhk->bhtk", y, matrix.reshape(d, n_heads, k))

    def gathered(letter, asks, told, hidden):
        scores = torch.einsum(
            "bhik,bhjk->bhij", heads(asks, P[letter + "_q"]), heads(told, P[letter + "_k"])
        )
        scores = torch.where(hidden, -math.inf, scores / k**0.5)
        powers = torch.exp(scores - scores.amax(-1, keepdim=True))
        shares = powers / powers.sum(-1, keepdim=True)
        output = P[letter + "_o"].reshape(n_heads, k, d)
        return torch.einsum("bhij,bhjk,hkd->bid", shares, heads(told, P[letter + "_v"]), output)

    def norm(y, n):
        variance, mean = torch.var_mean(y, -1, correction=0, keepdim=True)
        return (y - mean) * torch.rsqrt(variance + 1e-5) * P["gain_" + n] + P["bias_" + n]

    place = torch.arange(x.shape[1])
    o = x.double()
    o = norm(o + gathered("W", o, o, place > place[:, None]), "1")
    o = norm(o + gathered("C", o, memory.double(), ~memory_allowed[:, None, None]), "2")
    o = norm(o + torch.clamp(o @ P["W_1"] + P["b_1"], min=0) @ P["W_2"] + P["b_2"], "3")
    return o.to(kind)


# %% one_head: A loop over the heads, and PyTorch's LayerNorm.
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    d = x.shape[-1]
    width = d // n_heads

    def attention(x, context, Q, K, V, O, mask):
        heads = []
        for h in range(n_heads):
            columns = slice(h * width, (h + 1) * width)
            q, k, v = x @ Q[:, columns], context @ K[:, columns], context @ V[:, columns]
            scores = torch.bmm(q, k.transpose(1, 2)) / width**0.5
            heads.append(torch.softmax(scores.masked_fill(mask, float("-inf")), 2) @ v)
        return torch.cat(heads, 2) @ O

    def norm(y, n):
        return torch.nn.functional.layer_norm(y, (d,), parameters[f"gain_{n}"], parameters[f"bias_{n}"])

    W = [parameters["W_" + letter] for letter in "qkvo"]
    C = [parameters["C_" + letter] for letter in "qkvo"]
    future = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
    x = norm(x + attention(x, x, *W, future), 1)
    padding = (~memory_allowed).unsqueeze(1).expand(-1, x.shape[1], -1)
    x = norm(x + attention(x, memory, *C, padding), 2)
    inner = (x @ parameters["W_1"] + parameters["b_1"]).relu()
    return norm(x + inner @ parameters["W_2"] + parameters["b_2"], 3)


# %% sentences: One sentence at a time, without its padding, and one target token after another.
def normed(y, gain, bias):
    y = y - y.sum(-1, keepdim=True) / y.shape[-1]
    return y / ((y * y).mean(-1, keepdim=True) + 1e-5).pow(0.5) * gain + bias


def found_by(token, context, matrices, n_heads):
    Q, K, V, O = matrices
    q, k, v = (y.reshape(*y.shape[:-1], n_heads, -1) for y in (token @ Q, context @ K, context @ V))
    scores = (k * q).sum(-1) / math.sqrt(q.shape[-1])
    shares = scores.softmax(0)
    return (shares.unsqueeze(-1) * v).sum(0).reshape(-1) @ O


def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p = parameters
    W, C = ([p[f"{name}_{part}"] for part in "qkvo"] for name in "WC")
    texts = []
    for text, source, allowed in zip(x, memory, memory_allowed):
        words, rows = source[allowed], []
        for i in range(len(text)):
            o = normed(text[i] + found_by(text[i], text[: i + 1], W, n_heads), p["gain_1"], p["bias_1"])
            o = normed(o + found_by(o, words, C, n_heads), p["gain_2"], p["bias_2"])
            inner = (o @ p["W_1"] + p["b_1"]).clamp(min=0)
            rows.append(normed(o + (inner @ p["W_2"] + p["b_2"]), p["gain_3"], p["bias_3"]))
        texts.append(torch.stack(rows))
    return torch.stack(texts)
