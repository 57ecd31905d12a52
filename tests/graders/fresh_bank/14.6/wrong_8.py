# question 14.6
# wrong: a guess is kept whenever the target finds it at all likely: p > u instead of p / q > u
# differs: p = 0.4, q = 0.5, u = 0.6: refused instead of kept
def draw(p, u):
    """The first token at which the running sum is above u."""
    return int((p.cumsum(dim=0) > u).to(torch.int).argmax())


def speculate(guesses, draft, target, uniforms):
    written = []
    for i, guess in enumerate(guesses.tolist()):
        p, q = target[i], draft[i]
        if not uniforms[i] < p[guess]:
            rest = (p - q).clamp(min=0)
            written.append(draw(rest / rest.sum(), uniforms[-1]))
            return written
        written.append(guess)
    written.append(draw(target[-1], uniforms[-1]))
    return written


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(dim=0).sum().item()
