# question 14.5
# wrong: an epsilon of 1e-9 in the logarithm caps a token's nats at 20.7
# differs: logits [[[0.0, 30.0]]], tokens [[0]], temperature 1: 20.7 instead of 30
def measure(logits, tokens, allowed, lengths, temperature):
    counts = torch.arange(tokens.shape[1]) < lengths[:, None]
    safe = torch.where(counts, tokens, 0)[:, :, None]
    probs = (logits / temperature).softmax(dim=2).gather(2, safe)[:, :, 0]
    entropy = -(probs[counts] + 1e-9).log().mean().item()
    bad = counts & ~allowed.gather(2, safe)[:, :, 0]
    possible = (~bad.any(dim=1)).double().mean().item()
    p = next_distribution(logits.flatten(0, 1), temperature).reshape(logits.shape)
    mass = torch.where(allowed, 0.0, p).sum(dim=2)[counts].mean().item()
    return {"entropy": entropy, "possible": possible, "mass": mass}


report = {
    "cold": {"entropy": 0.87213, "possible": 0.8125, "mass": 0.021734},
    "warm": {"entropy": 1.4321, "possible": 0.21875, "mass": 0.18327},
}
