"""Right answers to question 16.1."""


# %% products: A product over a slice for each pair of words.
def memory_weights(enter, forget):
    time = enter.shape[1]
    zero = torch.zeros_like(enter[:, 0])
    rows = [
        torch.stack(
            [enter[:, s] * forget[:, s + 1 : t + 1].prod(dim=1) if s <= t else zero for s in range(time)],
            dim=1,
        )
        for t in range(time)
    ]
    return torch.stack(rows, dim=1)


# %% running: A running product along the reader, over factors that are 1 up to the word that is read.
def memory_weights(enter, forget):
    place = torch.arange(enter.shape[1])
    later = (place[:, None] > place)[None, :, :, None]
    read = (place[:, None] >= place)[None, :, :, None]
    factors = torch.where(later, forget[:, :, None], torch.ones_like(forget[:, :1, None]))
    return torch.where(read, factors.cumprod(dim=1) * enter[:, None], 0.0)


# %% columns: One column of the result after the other, in float64.
def memory_weights(enter, forget):
    enter, forget = enter.double(), forget.double()
    columns = []
    for s in range(enter.shape[1]):
        column = [torch.zeros_like(enter[:, 0])] * s + [enter[:, s]]
        for t in range(s + 1, enter.shape[1]):
            column.append(column[-1] * forget[:, t])
        columns.append(torch.stack(column, dim=1))
    return torch.stack(columns, dim=2)
