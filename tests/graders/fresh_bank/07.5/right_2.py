# question 07.5
def measure(keys):
    result = {"found": [], "weights": [], "enough": None}
    for array in keys:
        k = torch.tensor(np.array(array), dtype=torch.float64)
        n, width = k.shape
        scores = (k[:, None] * k[None]).sum(dim=2)
        own = scores.diagonal()[:, None]
        beaten = (scores < own).sum(dim=1)
        result["found"].append((beaten == n - 1).double().mean().item())
        log_weights = (scores * width ** -0.5).log_softmax(dim=1)
        result["weights"].append(log_weights.diagonal().exp().mean().item())
    good = [a.shape[1] for a, f in zip(keys, result["found"]) if f >= 0.9]
    if good:
        result["enough"] = min(good)
    return result


report = {
    "seed": 7,
    "found": [0.03125, 0.1719, 0.5469, 0.9219, 1.0, 1.0],
    "weights": [0.02891, 0.04213, 0.08127, 0.1936, 0.4527, 0.7812],
    "enough": 8,
}
