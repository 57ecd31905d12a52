"""The loss of all rows at once, by PyTorch."""

def accumulated(inputs, targets, weight, sizes, ignored, most):
    w = torch.tensor(weight, requires_grad=True)
    scores = torch.tensor(inputs) @ w
    goal = torch.tensor(targets, dtype=torch.long)
    loss = torch.nn.functional.cross_entropy(
        scores, goal, ignore_index=ignored
    )
    loss.backward()
    norm = w.grad.norm()
    return w.grad * (most / norm) if norm > most else w.grad
