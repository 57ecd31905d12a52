# question 14.5
def measure(logits, tokens, allowed, lengths, temperature):
    nats, masses, spoiled = [], [], 0
    for b, length in enumerate(lengths.tolist()):
        fine = True
        for t in range(length):
            scaled = logits[b, t].double() / temperature
            log_p = scaled - torch.logsumexp(scaled, dim=0)
            token = int(tokens[b, t])
            nats.append(-log_p[token].item())
            masses.append(log_p.exp()[~allowed[b, t]].sum().item())
            fine = fine and bool(allowed[b, t, token])
        spoiled += not fine
    return dict(
        entropy=math.fsum(nats) / len(nats),
        possible=1 - spoiled / len(lengths),
        mass=math.fsum(masses) / len(masses),
    )


report = {
    "cold": {"entropy": 0.87213, "possible": 0.8125, "mass": 0.021734},
    "warm": {"entropy": 1.4321, "possible": 0.21875, "mass": 0.18327},
}
