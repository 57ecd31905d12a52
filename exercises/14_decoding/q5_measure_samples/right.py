"""Right answers to question 14.5."""


# %% loops: One text after the other.
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


# %% numpy: NumPy with weights of zero and one.
def measure(logits, tokens, allowed, lengths, temperature):
    z = logits.numpy() / temperature
    z = z - z.max(2, keepdims=True)
    log_q = z - np.log(np.exp(z).sum(2, keepdims=True))
    weight = (np.arange(z.shape[1])[None] < lengths.numpy()[:, None]).astype(float)
    chosen = tokens.numpy()[..., None]
    cost = -np.take_along_axis(log_q, chosen, 2)[..., 0]
    good = np.take_along_axis(allowed.numpy(), chosen, 2)[..., 0]
    bad = np.where(allowed.numpy(), 0.0, np.exp(log_q)).sum(2)
    return {
        "entropy": float((cost * weight).sum() / weight.sum()),
        "possible": float(np.mean((weight * ~good).sum(1) == 0)),
        "mass": float((bad * weight).sum() / weight.sum()),
    }


report = {
    "cold": {"entropy": 0.7697898, "possible": 0.935, "mass": 0.006853046},
    "warm": {"entropy": 1.254941, "possible": 0.47, "mass": 0.08225449},
}
