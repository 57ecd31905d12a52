"""Named mistakes in question 10.6."""


# %% always_line: lines in every wiring, in the one without lines too
# loses: branches alone, shares, reach, reported gradients, reported reach, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        found = branch(norm(h)) if wiring == "pre" else branch(h)
        shares.append((found.norm() / h.norm()).item())
        h = h + found
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% at_most_32: a reach of 32 at most, the layers of the run
# loses: reach, reported reach
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
    while reach < min(len(branches), 32) and norms[-2 - reach] >= share * norms[-1]:
        reach += 1
    return {"gradients": norms, "shares": shares, "reach": reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% cut_line: lines that no gradient comes back on
# loses: lines, norms, reported gradients
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        found = branch(norm(h)) if wiring == "pre" else branch(h)
        shares.append((found.norm() / h.norm()).item())
        h = found if wiring == "plain" else h.detach() + found
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% each_step: a walk that ends where one layer takes more than the share
# loses: reach, reported reach
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
    while reach < len(branches) and norms[-2 - reach] >= share * norms[-1 - reach]:
        reach += 1
    return {"gradients": norms, "shares": shares, "reach": reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% every_layer: the number of all layers whose gradient is at least the share
# loses: reach, reported reach
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
    reach = sum(size >= share * norms[-1] for size in norms[:-1])
    return {"gradients": norms, "shares": shares, "reach": reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% exchanged: post-norm and pre-norm, exchanged
# loses: norms, shares, reported gradients, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        found = branch(norm(h)) if wiring == "post" else branch(h)
        shares.append((found.norm() / h.norm()).item())
        h = found if wiring == "plain" else h + found
        if wiring == "pre":
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% from_below: a walk from the first layer up
# loses: reach, reported reach
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
    while reach < len(branches) and norms[reach] >= share * norms[-1]:
        reach += 1
    return {"gradients": norms, "shares": shares, "reach": reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% from_the_top: the gradients from the top to the bottom
# loses: branches alone, lines, norms, reported gradients, reported reach
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
    return {"gradients": norms[::-1], "shares": shares, "reach": reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% last_layer: a report of the gradients at the input of the last layer
# loses: reported gradients
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
    "plain": 0.82017,
    "residual": 1.154,
    "post": 0.70735,
    "pre": 1.0161,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% layer_number: the number of the layer at which the gradient has fallen, from below
# loses: reach, reported reach
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
    return {"gradients": norms, "shares": shares, "reach": len(branches) - reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% line_from_norm: pre-norm in which the line, too, begins behind the norm
# loses: norms, shares, reported gradients, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        h = norm(h) if wiring == "pre" else h
        found = branch(h)
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% mean_of_objects: the mean over the objects of the norms of their gradients
# loses: branches alone, lines, norms, reported gradients, reported reach
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
    norms = [gradient.norm(dim=-1).mean().item() for gradient in gradients]
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% no_line: stacks without lines in every wiring
# loses: lines, norms, shares, reported gradients, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        found = branch(norm(h)) if wiring == "pre" else branch(h)
        shares.append((found.norm() / h.norm()).item())
        h = found
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% norm_on_branch: post-norm in which only the branch is normalized, not the sum
# loses: norms, shares, reported gradients, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        found = branch(norm(h)) if wiring == "pre" else branch(h)
        shares.append((found.norm() / h.norm()).item())
        add = norm(found) if wiring == "post" else found
        h = found if wiring == "plain" else h + add
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% not_relative: the reach of a gradient that is compared with the share itself
# loses: reach, reported reach
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
    while reach < len(branches) and norms[-2 - reach] >= share:
        reach += 1
    return {"gradients": norms, "shares": shares, "reach": reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% of_the_share: the gradients as shares of the upstream's norm
# loses: branches alone, lines, norms, reported gradients, reported reach
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
    return {"gradients": [size / norms[-1] for size in norms], "shares": shares, "reach": reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% one_further: the reach with the layer at which the gradient has fallen
# loses: reach, reported reach
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
    return {"gradients": norms, "shares": shares, "reach": min(reach + 1, len(branches))}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% one_sequence: the gradients of the first sequence only
# loses: branches alone, lines, norms, reach, reported gradients, reported reach
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
    norms = [gradient[0].norm().item() for gradient in gradients]
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% ones: the gradient of the sum of all outputs: upstream is left out
# loses: branches alone, lines, norms, reported gradients, reported reach
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
    gradients = torch.autograd.grad(h, inputs, torch.ones_like(h))
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% own_norm: a LayerNorm of its own in place of the norm that is given
# loses: norms, shares, reported gradients, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    def norm(z):
        z = z - z.mean(-1, keepdim=True)
        return z / (z.square().mean(-1, keepdim=True) + 1e-5).sqrt()

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
    "first": 0.64682,
    "last": 0.11898,
}


# %% report_left: a report of the layers that the gradient does not reach
# loses: reported reach
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
    "reach": 21,
    "first": 0.64682,
    "last": 0.11898,
}


# %% report_of_all: a report of the reach with lines, where it passes all layers
# loses: reported reach
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
    "reach": 32,
    "first": 0.64682,
    "last": 0.11898,
}


# %% report_of_lines: a report of the shares of the wiring with lines alone
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


# %% root_mean: root mean squares of the gradients in place of norms
# loses: branches alone, lines, norms, reported gradients, reported reach
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
    norms = [gradient.square().mean().sqrt().item() for gradient in gradients]
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% share_of_all: what each branch gives as a share of all branches
# loses: shares, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        found = branch(norm(h)) if wiring == "pre" else branch(h)
        shares.append(found.norm().item())
        h = found if wiring == "plain" else h + found
        if wiring == "post":
            h = norm(h)
        inputs.append(h)
    gradients = torch.autograd.grad(h, inputs, upstream)
    norms = [gradient.norm().item() for gradient in gradients]
    reach = 0
    while reach < len(branches) and norms[-2 - reach] >= share * norms[-1]:
        reach += 1
    return {"gradients": norms, "shares": [size / sum(shares) for size in shares], "reach": reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% share_of_normed: shares of what enters the branch, behind the norm of pre-norm
# loses: shares, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        found = branch(norm(h)) if wiring == "pre" else branch(h)
        enters = norm(h) if wiring == "pre" else h
        shares.append((found.norm() / enters.norm()).item())
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% share_of_objects: the mean over the objects of their own shares
# loses: shares, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        found = branch(norm(h)) if wiring == "pre" else branch(h)
        shares.append((found.norm(dim=-1) / h.norm(dim=-1)).mean().item())
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% share_of_squares: shares of squared norms
# loses: shares, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        found = branch(norm(h)) if wiring == "pre" else branch(h)
        shares.append((found.norm() / h.norm()).item() ** 2)
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% share_of_sum: shares of what leaves the layer in place of what enters it
# loses: shares, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    h = x.clone().requires_grad_()
    inputs, shares = [h], []
    for branch in branches:
        found = branch(norm(h)) if wiring == "pre" else branch(h)
        h = found if wiring == "plain" else h + found
        if wiring == "post":
            h = norm(h)
        inputs.append(h)
        shares.append((found.norm() / h.norm()).item())
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% squares: gradients without the root: sums of squares
# loses: branches alone, lines, norms, reach, reported gradients, reported reach
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
    norms = [gradient.square().sum().item() for gradient in gradients]
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
    "first": 0.64682,
    "last": 0.11898,
}


# %% strictly_above: a walk that ends where the gradient is exactly the share
# loses: reach, reported reach
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
    while reach < len(branches) and norms[-2 - reach] > share * norms[-1]:
        reach += 1
    return {"gradients": norms, "shares": shares, "reach": reach}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}


# %% typed: numbers that were typed, and a function that measures nothing
# loses: branches alone, lines, norms, shares, reach, reported gradients, reported reach, reported shares
def measure(branches, norm, x, upstream, wiring, share):
    return {"gradients": [1.0] * (len(branches) + 1), "shares": [0.5] * len(branches), "reach": -1}


report = {
    "plain": 3.9042e-06,
    "residual": 769.46,
    "post": 0.22899,
    "pre": 4.3387,
    "reach": 11,
    "first": 0.64682,
    "last": 0.11898,
}
