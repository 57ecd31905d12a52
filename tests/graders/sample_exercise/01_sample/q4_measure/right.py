"""Right answers to question 01.4."""


# %% tensors: Tensors instead of numbers.
def measure():
    share = torch.tensor([1.0, 1, 1, 1]).softmax(0)[0]
    return {"share": share, "ratio": share / torch.zeros(16).softmax(0)[0]}


# %% uniform: By hand.
def measure():
    return {"share": 0.25, "ratio": 4.0}
