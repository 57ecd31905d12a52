"""Tensors, a sorted median, another seed and every digit."""


def measure(widths, weights):
    alpha = torch.stack([torch.from_numpy(rows) for rows in weights])
    largest = (alpha - alpha.square()).amax(dim=2)
    n = largest.shape[1]
    ordered = largest.sort(dim=1).values
    means = largest.mean(dim=1)
    rise = means.log() @ torch.tensor([0.0, -1.0, 0.0, 1.0], dtype=torch.float64)
    return {
        "means": means,
        "medians": (ordered[:, (n - 1) // 2] + ordered[:, n // 2]) / 2,
        "slope": rise / math.log(widths[3] / widths[1]),
        "certain": (alpha[3].amax(dim=1) > 0.99).double().mean(),
    }


report = {
    "seed": 1,
    "means": [0.14883641986, 0.0827322346707, 0.0434515255467, 0.0232004282185],
    "medians": [0.171534231056, 0.0327215934532, 0.000979217389271, 7.61037671449e-07],
    "slope": -0.458574529304,
    "certain": 0.8085,
}
