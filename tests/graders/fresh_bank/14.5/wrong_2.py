# question 14.5
# wrong: means are taken in each text first, so that tokens of short texts weigh more
# differs: lengths [1, 3] with different log-probabilities; right for equal lengths
def measure(logits, tokens, allowed, lengths, temperature):
    counts = torch.arange(tokens.shape[1]) < lengths[:, None]
    safe = torch.where(counts, tokens, 0)[:, :, None]
    log_probs = (logits / temperature).log_softmax(dim=2)
    chosen = log_probs.gather(2, safe)[:, :, 0]
    entropy = -(torch.where(counts, chosen, 0.0).sum(dim=1) / lengths).mean().item()
    bad = counts & ~allowed.gather(2, safe)[:, :, 0]
    possible = (~bad.any(dim=1)).double().mean().item()
    p = (logits / temperature).softmax(dim=2)
    each = torch.where(allowed, 0.0, p).sum(dim=2)
    mass = (torch.where(counts, each, 0.0).sum(dim=1) / lengths).mean().item()
    return {"entropy": entropy, "possible": possible, "mass": mass}


report = {
    "cold": {"entropy": 0.87213, "possible": 0.8125, "mass": 0.021734},
    "warm": {"entropy": 1.4321, "possible": 0.21875, "mass": 0.18327},
}
