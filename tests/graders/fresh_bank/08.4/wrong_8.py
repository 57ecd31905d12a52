# question 08.4
# wrong: only sequences without any real position are taken care of, not positions in front of the first real one
# differs: real [[False, True]]: row 0 is NaN
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    nothing = ~real.any(dim=1)[:, None, None]
    allowed = (past & real[:, None, :]) | nothing
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=2)
    return weights.masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()
