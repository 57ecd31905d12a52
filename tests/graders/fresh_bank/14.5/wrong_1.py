# question 14.5
# wrong: the entropy of the distributions, -sum p log p, and not the estimate from the tokens that were drawn
# differs: logits [[[0.0, 2.0]]], tokens [[0]], temperature 1: 0.365 instead of 2.127
def measure(logits, tokens, allowed, lengths, temperature):
    counts = torch.arange(tokens.shape[1]) < lengths[:, None]
    safe = torch.where(counts, tokens, 0)[:, :, None]
    log_probs = (logits / temperature).log_softmax(dim=2)
    entropy = -(log_probs.exp() * log_probs).sum(dim=2)[counts].mean().item()
    bad = counts & ~allowed.gather(2, safe)[:, :, 0]
    possible = (~bad.any(dim=1)).double().mean().item()
    p = next_distribution(logits.flatten(0, 1), temperature).reshape(logits.shape)
    mass = torch.where(allowed, 0.0, p).sum(dim=2)[counts].mean().item()
    return {"entropy": entropy, "possible": possible, "mass": mass}


report = {
    "cold": {"entropy": 0.87213, "possible": 0.8125, "mass": 0.021734},
    "warm": {"entropy": 1.4321, "possible": 0.21875, "mass": 0.18327},
}
