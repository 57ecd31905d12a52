# question 14.5
# wrong: the mass is the share of impossible tokens that were drawn, not their probability
# differs: logits of zeros over 2 tokens, one allowed and drawn: 0 instead of 0.5
def measure(logits, tokens, allowed, lengths, temperature):
    counts = torch.arange(tokens.shape[1]) < lengths[:, None]
    safe = torch.where(counts, tokens, 0)[:, :, None]
    log_probs = (logits / temperature).log_softmax(dim=2)
    chosen = log_probs.gather(2, safe)[:, :, 0]
    entropy = -chosen[counts].mean().item()
    bad = counts & ~allowed.gather(2, safe)[:, :, 0]
    possible = (~bad.any(dim=1)).double().mean().item()
    mass = bad[counts].double().mean().item()
    return {"entropy": entropy, "possible": possible, "mass": mass}


report = {
    "cold": {"entropy": 0.87213, "possible": 0.8125, "mass": 0.021734},
    "warm": {"entropy": 1.4321, "possible": 0.21875, "mass": 0.18327},
}
