"""Right answers to question 16.6."""


# %% thirds: A clock that loses two thirds at each token, in NumPy.
def build(symbols):
    n = symbols
    copy = np.zeros((n + 1, n + 1))
    np.fill_diagonal(copy, 20.0)
    first = dict(W_c=copy, W_i=0 * copy, W_f=0 * copy, b_c=np.zeros(n + 1), b_i=np.full(n + 1, 50.0))
    first["b_f"] = np.append(np.full(n, -50.0), math.log(0.5))
    gate = np.zeros((n, n + 1))
    gate[:, -1] = 500.0
    second = dict(W_c=copy[:n], W_i=gate, W_f=0 * gate, b_c=np.zeros(n), b_i=np.full(n, -500 * 0.2))
    second["b_f"] = np.full(n, 50.0)
    return [first, second]


# %% negative: Memories that are negative where a symbol is, and a second layer that turns them round.
def build(symbols):
    eye, n = torch.eye(symbols + 1, dtype=torch.float64), symbols
    first = {
        "W_c": -30 * eye,
        "W_i": torch.zeros_like(eye),
        "W_f": torch.zeros_like(eye),
        "b_c": torch.zeros(n + 1),
        "b_i": torch.full((n + 1,), 60.0),
        "b_f": torch.tensor([-60.0] * n + [0.0]),
    }
    clock = eye[n:].repeat(n, 1)
    second = {
        "W_c": -30 * eye[:n],
        "W_i": -2000 * clock,
        "W_f": torch.zeros(n, n + 1),
        "b_c": torch.zeros(n),
        "b_i": torch.full((n,), -700.0),
        "b_f": torch.full((n,), 60.0),
    }
    return [first, second]


# %% reset: A clock that only the marker winds up, and that symbols make fade by their own forget gates.
def build(symbols):
    n = symbols
    first = {
        "W_c": torch.cat([10 * torch.eye(n, n + 1), torch.zeros(1, n + 1)]),
        "W_i": torch.cat([torch.zeros(n, n + 1), 200 * F.one_hot(torch.tensor([n]), n + 1)]),
        "W_f": torch.cat([torch.zeros(n, n + 1), torch.full((1, n + 1), -1.0)]),
        "b_c": torch.tensor([0.0] * n + [10.0]),
        "b_i": torch.tensor([100.0] * n + [-100.0]),
        "b_f": torch.tensor([-100.0] * n + [0.0]),
    }
    second = {
        "W_c": torch.eye(n, n + 1),
        "W_i": F.pad(torch.full((n, 1), 1500.0), (n, 0)),
        "W_f": torch.zeros(n, n + 1),
        "b_c": torch.zeros(n),
        "b_i": torch.full((n,), -1500 * 0.15),
        "b_f": torch.full((n,), 40.0),
    }
    return [first, second]
