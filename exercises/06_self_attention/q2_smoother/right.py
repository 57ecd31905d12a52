"""Right answers to question 06.2."""


# %% attention: The square expanded: one more entry in query and key.
def smooth(places, points, observed, bandwidth):
    d = places.shape[1] + 1
    query = torch.cat([places, torch.ones(len(places), 1)], 1) * d**0.5 / bandwidth**2
    key = torch.cat([points, -0.5 * (points**2).sum(1, keepdim=True)], 1)
    return attention(query[None], key[None], observed[None])[0]


# %% distances: A softmax over squared distances.
def smooth(places, points, observed, bandwidth):
    squares = torch.cdist(places, points, compute_mode="donot_use_mm_for_euclid_dist") ** 2
    return torch.softmax(-squares / (2 * bandwidth**2), dim=1) @ observed


# %% loops: One place at a time, the nearest point subtracted by hand.
def smooth(places, points, observed, bandwidth):
    rows = []
    for place in places:
        exponent = -((points - place) ** 2).sum(1) / (2 * bandwidth * bandwidth)
        kernel = torch.exp(exponent - exponent.max())
        rows.append(kernel @ observed / kernel.sum())
    return torch.stack(rows)


# %% numpy: NumPy inside, in float64, the squared distances by broadcasting.
def smooth(places, points, observed, bandwidth):
    places, points, observed = (np.asarray(a, dtype=np.float64) for a in (places, points, observed))
    exponents = -((places[:, None, :] - points[None, :, :]) ** 2).sum(axis=2) / (2 * bandwidth**2)
    kernel = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return torch.from_numpy(kernel @ observed / kernel.sum(axis=1)[:, None])


# %% vmap: A lambda of one place, mapped over all, without gradients.
kernel = lambda h: lambda x, points: torch.linalg.vector_norm((points - x) / h, dim=1).square().neg().div(2)
smooth = torch.inference_mode()(
    lambda places, points, observed, bandwidth: torch.einsum(
        "nm,mc->nc",
        torch.vmap(kernel(bandwidth), in_dims=(0, None))(places, points).log_softmax(1).exp(),
        observed,
    )
)
