"""Right answers to question 10.6."""


# %% backward: Gradients kept at each layer by backward, norms by NumPy.
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


# %% chain: From the top down, one layer at a time.
def measure(branches, norm, x, upstream, wiring, share):
    before = norm if wiring == "pre" else (lambda z: z)
    after = norm if wiring == "post" else (lambda z: z)
    line = 0.0 if wiring == "plain" else 1.0

    def size(tensor):
        return float(torch.linalg.vector_norm(tensor))

    streams, shares = [x], []
    for branch in branches:
        found = branch(before(streams[-1]))
        shares.append(size(found) / size(streams[-1]))
        streams.append(after(line * streams[-1] + found))
    sizes, reach, falling = [size(upstream)], 0, False
    for n in range(len(branches) - 1, -1, -1):
        z = streams[n].clone().requires_grad_()
        whole = after(line * z + branches[n](before(z)))
        (upstream,) = torch.autograd.grad(whole, z, upstream)
        sizes.append(size(upstream))
        falling = falling or sizes[-1] < share * sizes[0]
        reach += not falling
    return {"gradients": sizes[::-1], "shares": shares, "reach": reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}
