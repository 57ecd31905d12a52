"""Named mistakes in question 13.6."""


# %% branch_norm: norms of what the branches give, not of the sums
# loses: network, self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = x + norm(attend("W", x, x, causal), 1)
    o = o + norm(attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return o + norm(inner @ p["W_2"] + p["b_2"], 3)


# %% causal_cross: a causal mask on the cross-attention, as on the self-attention
# loses: cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    later = torch.ones(time, memory.shape[1], dtype=torch.bool).tril()
    seen = words & later
    seen = seen | ~seen.any(dim=3, keepdim=True) & words
    o = norm(o + attend("C", o, memory, seen), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% cross_first: the cross-attention before the self-attention
# loses: self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("C", x, memory, words), 1)
    o = norm(o + attend("W", o, o, causal), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% detached_memory: a memory without a gradient: the encoder learns nothing
# loses: gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory.detach(), words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% gelu: a network with GELU in place of the ReLU
# loses: network, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.nn.functional.gelu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% heads_last: columns cut so that the features come first, not the heads
# loses: self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (d_head, n_heads)).permute(0, 3, 1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% heads_of_rows: rows cut into heads: a reshape without exchanging heads and time
# loses: self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.reshape(len(y), n_heads, y.shape[1], d_head)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% keys_from_target: a cross-attention with keys and values from what has been written
# loses: cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, o, causal), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% keys_from_target_alone: a second attention to what has been written, without a mask
# loses: cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, o, torch.ones_like(causal)), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% line_from_x: a cross-attention whose residual connection starts from x
# loses: network, self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(x + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% mask_reversed: a causal mask that shows the future and hides the past
# loses: self-attention, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).triu()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% masked_after: masks after the softmax: rows no longer sum to 1
# loses: self-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.softmax(dim=3) * allowed
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% network_line_from_x: a network whose residual connection starts from x
# loses: network, self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(x + inner @ p["W_2"] + p["b_2"], 3)


# %% no_causal_mask: a self-attention that sees later tokens
# loses: self-attention, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool)
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% no_cross: no cross-attention
# loses: cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o, 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% no_cross_line: a cross-attention without its residual connection
# loses: network, self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% no_epsilon: a norm without its epsilon, or with one that is added outside the root
# loses: network, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / variance.sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% no_gain: norms without gains and biases
# loses: network, self-attention, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return normed

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% no_last_bias: a network without its second bias
# loses: network, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"], 3)


# %% no_last_norm: no norm at the end
# loses: network, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return o + inner @ p["W_2"] + p["b_2"]


# %% no_middle_norm: no norm between the cross-attention and the network
# loses: network, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = o + attend("C", o, memory, words)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% no_network_line: a network without its residual connection
# loses: network, self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(inner @ p["W_2"] + p["b_2"], 3)


# %% no_output_matrix: heads that are put side by side, without the output matrix
# loses: network, self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2)

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% no_padding_mask: padding that is attended to like words
# loses: padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = torch.ones(1, 1, 1, memory.shape[1], dtype=torch.bool)
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% no_relu: a network without the ReLU
# loses: network, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = o @ p["W_1"] + p["b_1"]
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% no_scale: scores that are not divided by the root of the width
# loses: self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% no_self_line: a self-attention without its residual connection
# loses: network, self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% no_shift: exponentials by hand that overflow, or all vanish, where scores are in the thousands
# loses: gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        powers = scores.exp() * allowed
        weights = powers / powers.sum(dim=3, keepdim=True)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% norm_over_time: a norm over the tokens instead of the features
# loses: network, self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=1, keepdim=True)
        variance = centered.square().mean(dim=1, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% not_itself: a causal mask that hides a token from itself
# loses: self-attention, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3).nan_to_num()
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril(-1)
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% not_joined: heads that are joined without moving them behind the time
# loses: self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).reshape(a.shape) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% one_head: one head of the whole width
# loses: self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    n_heads = 1
    p, d_head = parameters, x.shape[2]

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% one_norm: the first gain and bias in all three norms
# loses: network, self-attention, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p["gain_1"] * normed + p["bias_1"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% padding_first: the padding of the first sentence for all sentences
# loses: padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:1, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% padding_inverted: a padding mask read the wrong way round
# loses: padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = ~memory_allowed[:, None, None, :]
    words = words | ~words.any(dim=3, keepdim=True)
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% pre_norm: pre-norm: what is normalized is what a branch reads, not the sum
# loses: network, self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = x + attend("W", norm(x, 1), norm(x, 1), causal)
    o = o + attend("C", norm(o, 2), memory, words)
    inner = torch.relu(norm(o, 3) @ p["W_1"] + p["b_1"])
    return o + inner @ p["W_2"] + p["b_2"]


# %% queries_from_x: a cross-attention whose queries are x, not what the first norm gives
# loses: cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", x, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% rms_norm: a norm that does not subtract the mean
# loses: network, self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% same_matrices: the matrices of the self-attention in the cross-attention, too
# loses: self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("W", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% scale_of_model: scores divided by the root of d, not of the width of a head
# loses: self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(x.shape[2])
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% softmax_over_queries: a softmax over the queries
# loses: self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2).nan_to_num()
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% source_padding: target tokens hidden by the padding of a source as long as the target
# loses: self-attention, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    if memory.shape[1] == time:
        causal = causal & (words | torch.eye(time, dtype=torch.bool))
    o = norm(x + attend("W", x, x, causal), 1)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)


# %% two_norms: no norm between the two attentions
# loses: network, self-attention, cross-attention, padding, together, gradients
def translator_block(x, memory, memory_allowed, parameters, n_heads):
    p, d_head = parameters, x.shape[2] // n_heads

    def split(y):
        return y.unflatten(2, (n_heads, d_head)).transpose(1, 2)

    def attend(name, a, context, allowed):
        query = split(a @ p[f"{name}_q"])
        key = split(context @ p[f"{name}_k"])
        value = split(context @ p[f"{name}_v"])
        scores = query @ key.mT / math.sqrt(d_head)
        weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=3)
        return (weights @ value).transpose(1, 2).flatten(2) @ p[f"{name}_o"]

    def norm(y, n):
        centered = y - y.mean(dim=2, keepdim=True)
        variance = centered.square().mean(dim=2, keepdim=True)
        normed = centered / (variance + 1e-5).sqrt()
        return p[f"gain_{n}"] * normed + p[f"bias_{n}"]

    time = x.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool).tril()
    words = memory_allowed[:, None, None, :]
    o = x + attend("W", x, x, causal)
    o = norm(o + attend("C", o, memory, words), 2)
    inner = torch.relu(o @ p["W_1"] + p["b_1"])
    return norm(o + inner @ p["W_2"] + p["b_2"], 3)
