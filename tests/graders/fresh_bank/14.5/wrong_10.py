# question 14.5
# wrong: logits are multiplied by the temperature instead of divided
# differs: temperature 0.5, logits [[[0.0, 1.0]]]; right for temperature 1
def measure(logits, tokens, allowed, lengths, temperature):
    counts = torch.arange(tokens.shape[1]) < lengths[:, None]
    safe = torch.where(counts, tokens, 0)[:, :, None]
    log_probs = (logits * temperature).log_softmax(dim=2)
    chosen = log_probs.gather(2, safe)[:, :, 0]
    entropy = -chosen[counts].mean().item()
    bad = counts & ~allowed.gather(2, safe)[:, :, 0]
    possible = (~bad.any(dim=1)).double().mean().item()
    mass = torch.where(allowed, 0.0, log_probs.exp()).sum(dim=2)[counts].mean().item()
    return {"entropy": entropy, "possible": possible, "mass": mass}


report = {
    "cold": {"entropy": 0.87213, "possible": 0.8125, "mass": 0.021734},
    "warm": {"entropy": 1.4321, "possible": 0.21875, "mass": 0.18327},
}
