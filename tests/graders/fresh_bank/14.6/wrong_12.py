# question 14.6
# wrong: the chance that a guess is kept is the mean of min(1, p / q) over all tokens, not under q
# differs: q = (0.9, 0.1), p = (0.5, 0.5)
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
    kept = (target[:-1] / draft.clamp(min=1e-9)).clamp(max=1).mean(dim=1)
    return 1 + kept.cumprod(dim=0).sum().item()
