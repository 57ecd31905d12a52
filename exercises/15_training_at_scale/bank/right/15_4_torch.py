"""Stacked in PyTorch, with NaN replaced."""

def reduce_scatter(gradients, tokens):
    stacked = torch.tensor(np.stack(gradients))
    weights = torch.tensor(tokens, dtype=torch.float64)
    weights = weights / weights.sum().clamp(min=1)
    stacked = torch.where(weights[:, None] > 0, stacked, 0.0)
    whole = (weights[:, None] * stacked).sum(0)
    rest = -len(whole) % len(tokens)
    whole = torch.nn.functional.pad(whole, (0, rest))
    return list(whole.chunk(len(tokens)))
