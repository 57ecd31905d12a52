# question 14.5
# wrong: impossible tokens are left out of the entropy
# differs: a text with an impossible token of another log-probability than the others
def measure(logits, tokens, allowed, lengths, temperature):
    counts = torch.arange(tokens.shape[1]) < lengths[:, None]
    safe = torch.where(counts, tokens, 0)[:, :, None]
    log_probs = (logits / temperature).log_softmax(dim=2)
    chosen = log_probs.gather(2, safe)[:, :, 0]
    good = counts & allowed.gather(2, safe)[:, :, 0]
    entropy = -chosen[good].mean().item() if good.any() else 0.0
    bad = counts & ~allowed.gather(2, safe)[:, :, 0]
    possible = (~bad.any(dim=1)).double().mean().item()
    p = next_distribution(logits.flatten(0, 1), temperature).reshape(logits.shape)
    mass = torch.where(allowed, 0.0, p).sum(dim=2)[counts].mean().item()
    return {"entropy": entropy, "possible": possible, "mass": mass}


report = {
    "cold": {"entropy": 0.87213, "possible": 0.8125, "mass": 0.021734},
    "warm": {"entropy": 1.4321, "possible": 0.21875, "mass": 0.18327},
}
