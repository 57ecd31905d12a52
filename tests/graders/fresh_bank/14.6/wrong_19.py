# question 14.6
# wrong: the refused guess is taken out of p and the rest is used, instead of max(p - q, 0)
# differs: q = (0.5, 0.25, 0.25), p = (0.2, 0.3, 0.5): token 1 with 0.375 instead of 1/6
def draw(p, u):
    """The first token at which the running sum is above u."""
    return int((p.cumsum(dim=0) > u).to(torch.int).argmax())


def speculate(guesses, draft, target, uniforms):
    written = []
    for i, guess in enumerate(guesses.tolist()):
        p, q = target[i], draft[i]
        if not uniforms[i] < p[guess] / q[guess]:
            rest = p.clone()
            rest[guess] = 0
            written.append(draw(rest / rest.sum(), uniforms[-1]))
            return written
        written.append(guess)
    written.append(draw(target[-1], uniforms[-1]))
    return written


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(dim=0).sum().item()
