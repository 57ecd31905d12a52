# question 14.5
# wrong: the mass is a mean over all places, also those behind the texts
# differs: lengths [1], time 2, logits of zeros, allowed only behind: half of the mass
def measure(logits, tokens, allowed, lengths, temperature):
    counts = torch.arange(tokens.shape[1]) < lengths[:, None]
    safe = torch.where(counts, tokens, 0)[:, :, None]
    log_probs = (logits / temperature).log_softmax(dim=2)
    chosen = log_probs.gather(2, safe)[:, :, 0]
    entropy = -chosen[counts].mean().item()
    bad = counts & ~allowed.gather(2, safe)[:, :, 0]
    possible = (~bad.any(dim=1)).double().mean().item()
    p = (logits / temperature).softmax(dim=2)
    mass = torch.where(allowed, 0.0, p).sum(dim=2).mean().item()
    return {"entropy": entropy, "possible": possible, "mass": mass}


report = {
    "cold": {"entropy": 0.87213, "possible": 0.8125, "mass": 0.021734},
    "warm": {"entropy": 1.4321, "possible": 0.21875, "mass": 0.18327},
}
