# question 10.6
def measure(branches, norm, x, upstream, wiring, share):
    def size(t):
        top = t.detach().abs().max().item()
        return 0.0 if top == 0 else top * (t.detach() / top).square().sum().sqrt().item()

    h = x.detach().clone()
    layers, shares = [], []
    for branch in branches:
        h = h.detach().requires_grad_()
        given = branch(norm(h) if wiring == "pre" else h)
        out = given if wiring == "plain" else h + given
        if wiring == "post":
            out = norm(out)
        shares.append(size(given) / size(h))
        layers.append((h, out))
        h = out
    gradient = upstream.detach()
    gradients = [size(gradient)]
    for h, out in reversed(layers):
        gradient, = torch.autograd.grad(out, h, gradient)
        gradients.insert(0, size(gradient))
    reach = 0
    for g in reversed(gradients[:-1]):
        if g < share * gradients[-1]:
            break
        reach += 1
    return {"gradients": gradients, "shares": shares, "reach": reach}


report = {
    "plain": 1.234e-05,
    "residual": 41.27,
    "post": 0.3127,
    "pre": 3.412,
    "reach": 13,
    "first": 0.5213,
    "last": 0.09871,
}
