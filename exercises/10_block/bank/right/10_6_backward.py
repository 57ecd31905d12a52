"""Gradients kept at each layer by backward, norms by NumPy."""


def measure(branches, norm, x, upstream, wiring, share):
    streams, shares = [x.detach().clone().requires_grad_(True)], []
    for branch in branches:
        h = streams[-1]
        if wiring == "plain":
            found = branch(h)
            out = found
        elif wiring == "residual":
            found = branch(h)
            out = h + found
        elif wiring == "post":
            found = branch(h)
            out = norm(h + found)
        else:
            found = branch(norm(h))
            out = h + found
        out.retain_grad()
        streams.append(out)
        shares.append(np.sqrt(np.sum(found.detach().numpy() ** 2) / np.sum(h.detach().numpy() ** 2)))
    (streams[-1] * upstream).sum().backward()
    sizes = np.array([np.sqrt(np.sum(h.grad.numpy() ** 2)) for h in streams])
    low = np.flatnonzero(sizes[:-1] < share * sizes[-1])
    reach = len(branches) - 1 - low[-1] if len(low) else len(branches)
    return {"gradients": sizes, "shares": np.array(shares), "reach": int(reach)}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}
