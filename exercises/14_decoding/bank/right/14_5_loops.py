"""One text after the other."""


def measure(logits, tokens, allowed, lengths, temperature):
    costs, masses, fine = [], [], []
    for b in range(len(tokens)):
        ok = True
        for t in range(int(lengths[b])):
            q = torch.softmax(logits[b, t] / temperature, dim=0)
            i = int(tokens[b, t])
            costs.append(-torch.log_softmax(logits[b, t] / temperature, dim=0)[i].item())
            masses.append(q[~allowed[b, t]].sum().item())
            ok = ok and bool(allowed[b, t, i])
        fine.append(ok)
    return {
        "entropy": sum(costs) / len(costs),
        "possible": sum(fine) / len(fine),
        "mass": sum(masses) / len(masses),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}
