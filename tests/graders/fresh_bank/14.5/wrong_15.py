# question 14.5
# wrong: sums are divided by the number of all places, not of those that count
# differs: lengths [1], time 2, logits of zeros over 8 tokens: 1.04 instead of 2.079
def measure(logits, tokens, allowed, lengths, temperature):
    counts = torch.arange(tokens.shape[1]) < lengths[:, None]
    safe = torch.where(counts, tokens, 0)[:, :, None]
    log_probs = (logits / temperature).log_softmax(dim=2)
    chosen = log_probs.gather(2, safe)[:, :, 0]
    entropy = -torch.where(counts, chosen, 0.0).mean().item()
    bad = counts & ~allowed.gather(2, safe)[:, :, 0]
    possible = (~bad.any(dim=1)).double().mean().item()
    p = log_probs.exp()
    mass = torch.where(counts[:, :, None] & ~allowed, p, 0.0).sum(dim=2).mean().item()
    return {"entropy": entropy, "possible": possible, "mass": mass}


report = {
    "cold": {"entropy": 0.87213, "possible": 0.8125, "mass": 0.021734},
    "warm": {"entropy": 1.4321, "possible": 0.21875, "mass": 0.18327},
}
