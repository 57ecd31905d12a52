# question 14.6
# wrong: a guess is kept only if the target likes it best (greedy)
# differs: p = (0.6, 0.4), q = (0.6, 0.4), the guess 1
def draw(p, u):
    """The first token at which the running sum is above u."""
    return int((p.cumsum(dim=0) > u).to(torch.int).argmax())


def speculate(guesses, draft, target, uniforms):
    written = []
    for i, guess in enumerate(guesses.tolist()):
        p, q = target[i], draft[i]
        if guess != int(p.argmax()):
            rest = (p - q).clamp(min=0)
            written.append(draw(rest / rest.sum(), uniforms[-1]))
            return written
        written.append(guess)
    written.append(draw(target[-1], uniforms[-1]))
    return written


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(dim=0).sum().item()
