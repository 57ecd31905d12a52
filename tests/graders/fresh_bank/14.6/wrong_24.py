# question 14.6
# wrong: the expected length is that of a constant chance, the mean of all: (1 - a^(gamma + 1)) / (1 - a)
# differs: two guesses with chances 0.9 and 0.1: 1.75 instead of 1.99
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
        return 1.0
    a = kept.mean().item()
    return sum(a**i for i in range(len(kept) + 1))
