# question 14.6
# wrong: without guesses the loop's variables are missing or an empty cumulative product counts as one: the length is 2
# differs: gamma = 0: expected_length is 2 instead of 1
def draw(p, u):
    """The first token at which the running sum is above u."""
    return int((p.cumsum(dim=0) > u).to(torch.int).argmax())


def speculate(guesses, draft, target, uniforms):
    written = []
    for i, guess in enumerate(guesses.tolist()):
        p, q = target[i], draft[i]
        if not uniforms[i] < p[guess] / q[guess]:
            rest = (p - q).clamp(min=0)
            written.append(draw(rest / rest.sum(), uniforms[-1]))
            return written
        written.append(guess)
    written.append(draw(target[-1], uniforms[-1]))
    return written


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    if len(kept) == 0:
        return 2.0
    return 1 + kept.cumprod(dim=0).sum().item()
