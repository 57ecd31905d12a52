"""The sums written out, with exponents shifted by the largest allowed score."""


def masked_weights(query, key, real):
    time = query.shape[1]
    scores = torch.einsum("bid,bjd->bij", query, key) * query.shape[2] ** -0.5
    allowed = torch.ones(time, time).tril().bool() * real.unsqueeze(1)
    top = torch.where(allowed, scores, torch.tensor(-3e38)).amax(2, keepdim=True).detach()
    powers = torch.where(allowed, torch.where(allowed, scores - top, 0.0).exp(), 0.0)
    return powers / powers.sum(2, keepdim=True).clamp(min=1e-30)


def mean_nats(logits, targets, real):
    nats = logits.logsumexp(2) - logits.gather(2, targets.unsqueeze(2)).squeeze(2)
    return (nats * real).sum() / real.sum()
