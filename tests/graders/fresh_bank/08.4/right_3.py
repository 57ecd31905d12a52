# question 08.4
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    allowed = torch.ones(time, time, dtype=torch.bool).tril() & real[:, None, :]
    scores = torch.where(allowed, scores, -math.inf)
    return scores.softmax(dim=2).nan_to_num()


def mean_nats(logits, targets, real):
    chosen = logits.gather(2, targets[:, :, None])[:, :, 0]
    nats = logits.logsumexp(dim=2) - chosen
    return (nats * real).sum() / real.sum()
