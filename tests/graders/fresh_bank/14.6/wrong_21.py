# question 14.6
# wrong: a token drawn at random instead of by the given numbers
# differs: any pass: two calls differ, and the numbers do not matter
def draw(p, u):
    """The first token at which the running sum is above u."""
    return int(torch.multinomial(p, 1))


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
    return 1 + kept.cumprod(dim=0).sum().item()
