"""The largest score subtracted by hand, and sums with weights."""


def next_token_loss(z, E, targets):
    scores = torch.einsum("btd,vd->btv", z, E)
    scores = scores - scores.detach().amax(dim=-1, keepdim=True)
    log_sum = scores.exp().sum(dim=-1).log()
    counts = (targets >= 0).to(scores.dtype)
    chosen = scores.gather(-1, targets.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return ((log_sum - chosen) * counts).sum() / counts.sum()
