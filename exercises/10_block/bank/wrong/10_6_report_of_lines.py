"""a report of the shares of the wiring with lines alone"""


# loses: reported shares
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        found = branch(norm(h)) if wiring == "pre" else branch(h)
        shares.append((found.norm() / h.norm()).item())
        h = found if wiring == "plain" else h + found
        if wiring == "post":
            h = norm(h)
        inputs.append(h)
    gradients = torch.autograd.grad(h, inputs, upstream)
    norms = [gradient.norm().item() for gradient in gradients]
    reach = 0
    while reach < len(branches) and norms[-2 - reach] >= share * norms[-1]:
        reach += 1
    return {"gradients": norms, "shares": shares, "reach": reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.75071,
    "last": 0.72621,
}
