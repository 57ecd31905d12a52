"""Right answers to question 16.5."""


# %% memory: All places by the memory, word by word.
def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    matrix = torch.einsum("b,bkv->bkv", forget, matrix) + torch.einsum("bk,bv->bkv", key, value)
    total = torch.einsum("b,bk->bk", forget, total) + key
    above, below = torch.einsum("bk,bkv->bv", query, matrix), torch.einsum("bk,bk->b", query, total)
    return above / below[:, None], matrix, total


def attend(query, key, value, forget):
    matrix = value.new_zeros(len(key), key.shape[2], value.shape[2])
    total, outputs = key.new_zeros(len(key), key.shape[2]), []
    for t in range(key.shape[1]):
        read, matrix, total = step(matrix, total, query[:, t], key[:, t], value[:, t], forget[:, t])
        outputs.append(read)
    return torch.stack(outputs, dim=1)


# %% products: What is left by running products, features without elu, a column of ones beside the values.
def phi(x):
    return torch.where(x > 0, x + 1, x.clamp(max=0).exp())


def attend(query, key, value, forget):
    place = torch.arange(forget.shape[1])
    later = place[:, None] > place
    factors = torch.where(later, forget[:, :, None], torch.ones_like(forget[:, :1, None]))
    left = factors.cumprod(dim=1) * (place[:, None] >= place)
    a = left * torch.einsum("btk,bsk->bts", phi(query), phi(key))
    both = a @ torch.cat([value, torch.ones_like(value[..., :1])], dim=-1)
    return both[..., :-1] / both[..., -1:]


def step(matrix, total, query, key, value, forget):
    memory = torch.cat([matrix, total[..., None]], dim=-1)
    written = torch.cat([value, torch.ones_like(value[:, :1])], dim=-1)
    memory = forget[:, None, None] * memory + phi(key)[..., None] * written[:, None]
    both = (phi(query)[:, None] @ memory)[:, 0]
    return both[:, :-1] / both[:, -1:], memory[..., :-1], memory[..., -1]


# %% loops: A product over a slice for each pair of places, in float64.
def attend(query, key, value, forget):
    query, key = F.elu(query.double()) + 1, F.elu(key.double()) + 1
    value, forget = value.double(), forget.double()
    outputs = []
    for t in range(value.shape[1]):
        above, below = 0, 0
        for s in range(t + 1):
            a = forget[:, s + 1 : t + 1].prod(dim=1, keepdim=True)
            a = a * (query[:, t] * key[:, s]).sum(dim=1, keepdim=True)
            above, below = above + a * value[:, s], below + a
        outputs.append(above / below)
    return torch.stack(outputs, dim=1)


def step(matrix, total, query, key, value, forget):
    query, key = F.elu(query.double()) + 1, F.elu(key.double()) + 1
    matrix = matrix * forget.view(-1, 1, 1) + torch.bmm(key.unsqueeze(2), value.double().unsqueeze(1))
    total = total * forget.view(-1, 1) + key
    weights = query / (query * total).sum(dim=1, keepdim=True)
    return torch.bmm(weights.unsqueeze(1), matrix).squeeze(1), matrix, total
