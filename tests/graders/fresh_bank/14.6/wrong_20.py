# question 14.6
# wrong: u = 0 counts as no number: a small number is added, so guesses of ratio below it are refused
# differs: p = 1e-6, q = 0.5, u = 0: refused instead of kept
def draw(p, u):
    """The first token at which the running sum is above u."""
    return int((p.cumsum(dim=0) > u).to(torch.int).argmax())


def speculate(guesses, draft, target, uniforms):
    written = []
    for i, guess in enumerate(guesses.tolist()):
        p, q = target[i], draft[i]
        if not uniforms[i] + 1e-5 < p[guess] / q[guess]:
            rest = (p - q).clamp(min=0)
            written.append(draw(rest / rest.sum(), uniforms[-1]))
            return written
        written.append(guess)
    written.append(draw(target[-1], uniforms[-1]))
    return written


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(dim=0).sum().item()
