# question 14.5
def measure(logits, tokens, allowed, lengths, temperature):
    counts = torch.arange(tokens.shape[1]) < lengths[:, None]
    logits, tokens, allowed = logits[counts], tokens[counts], allowed[counts]
    log_probs = (logits / temperature).log_softmax(dim=1)
    chosen = log_probs.gather(1, tokens[:, None])[:, 0]
    bad = torch.zeros(counts.shape, dtype=torch.bool)
    bad[counts] = ~allowed.gather(1, tokens[:, None])[:, 0]
    p = next_distribution(logits, temperature)
    return {
        "entropy": -chosen.mean().item(),
        "possible": (~bad.any(dim=1)).double().mean().item(),
        "mass": torch.where(allowed, 0.0, p).sum(dim=1).mean().item(),
    }


report = {
    "cold": {"entropy": 0.87213, "possible": 0.8125, "mass": 0.021734},
    "warm": {"entropy": 1.4321, "possible": 0.21875, "mass": 0.18327},
}
