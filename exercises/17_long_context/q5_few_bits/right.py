"""Right answers to question 17.5."""


# %% rows: One vector after the other.
def encode(x, bits):
    made, steps = [], []
    for row in x.double():
        step = max(abs(number) for number in row.tolist()) / (2 ** (bits - 1) - 1)
        made.append([round(number / step) if step else 0 for number in row.tolist()])
        steps.append([step])
    return torch.tensor(made), torch.tensor(steps, dtype=torch.float64)


def decode(codes, step):
    return torch.stack([row.double() * size.double() for row, size in zip(codes, step)])


# %% numpy: NumPy, whose division is told where to divide.
def encode(x, bits):
    x = x.double().numpy()
    step = np.abs(x).max(axis=1, keepdims=True) / (2 ** (bits - 1) - 1)
    scaled = np.divide(x, step, out=np.zeros_like(x), where=step > 0)
    return np.rint(scaled).astype(np.int64), step


def decode(codes, step):
    return np.asarray(codes, dtype=float) * np.asarray(step, dtype=float)


# %% shifted: A half added and rounded down.
def encode(x, bits):
    x = x.double()
    step = torch.amax(x.abs(), dim=1, keepdim=True) / (2 ** (bits - 1) - 1)
    codes = torch.floor(torch.nan_to_num(x / step) + 0.5)
    return codes.to(torch.int8), step


def decode(codes, step):
    return torch.mul(step, codes)
