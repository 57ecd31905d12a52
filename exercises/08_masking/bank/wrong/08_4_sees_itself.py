"""positions that see themselves, padding or not"""


# loses: weights, training
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & (real[:, None, :] | torch.eye(time, dtype=torch.bool))
    nothing = ~allowed.any(dim=2, keepdim=True)
    bias = torch.where(allowed | nothing, 0.0, -math.inf)
    return (scores + bias).softmax(dim=2)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()
