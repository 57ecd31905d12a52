"""Tensors instead of numbers."""


def measure():
    share = torch.tensor([1.0, 1, 1, 1]).softmax(0)[0]
    return {"share": share, "ratio": share / torch.zeros(16).softmax(0)[0]}
