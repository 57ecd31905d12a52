# question 14.5
# wrong: the mass at a place is the mean over the tokens that are not allowed, not their sum
# differs: logits of zeros over 4 tokens, one allowed: 0.25 instead of 0.75
def measure(logits, tokens, allowed, lengths, temperature):
    counts = torch.arange(tokens.shape[1]) < lengths[:, None]
    safe = torch.where(counts, tokens, 0)[:, :, None]
    log_probs = (logits / temperature).log_softmax(dim=2)
    chosen = log_probs.gather(2, safe)[:, :, 0]
    entropy = -chosen[counts].mean().item()
    bad = counts & ~allowed.gather(2, safe)[:, :, 0]
    possible = (~bad.any(dim=1)).double().mean().item()
    p = (logits / temperature).softmax(dim=2)
    each = torch.where(allowed, 0.0, p).sum(dim=2) / (~allowed).sum(dim=2).clamp(min=1)
    mass = each[counts].mean().item()
    return {"entropy": entropy, "possible": possible, "mass": mass}


report = {
    "cold": {"entropy": 0.87213, "possible": 0.8125, "mass": 0.021734},
    "warm": {"entropy": 1.4321, "possible": 0.21875, "mass": 0.18327},
}
