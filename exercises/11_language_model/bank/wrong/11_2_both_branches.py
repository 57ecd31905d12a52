"""two branches, one of which has a gradient of NaN"""


# loses: large scores
def next_token_loss(z, E, targets):
    s = z @ E.T
    m = s.amax(-1)
    plain = s.exp().sum(-1).log()
    shifted = m + (s - m[..., None]).exp().sum(-1).log()
    lse = torch.where(s.abs().amax(-1) < 50, plain, shifted)
    k = targets != -100
    return (lse[k] - s[k].gather(1, targets[k][:, None])[:, 0]).mean()
