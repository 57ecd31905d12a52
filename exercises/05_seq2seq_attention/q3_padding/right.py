"""Right answers to question 05.3."""


# %% closed: Typed numbers, rounded to six digits or more.
context = [0.47058824, 1.4117647]
padded = [0.4, 1.2]
half = 18


# %% counted: With tensors, and a loop.
h = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], dtype=torch.float64)
q = torch.tensor([2.0, 3.0], dtype=torch.float64).log()


def attend(n):
    states = torch.cat([h, torch.zeros(n, 2, dtype=torch.float64)])
    weights = (states @ q).softmax(0)
    return (weights @ states).tolist(), weights[3:].sum().item()


context, padded = attend(0)[0], attend(3)[0]
half = next(n for n in range(100) if attend(n)[1] > 0.5 + 1e-9)
