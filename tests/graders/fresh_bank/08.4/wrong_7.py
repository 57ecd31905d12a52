# question 08.4
# wrong: a position may always attend to itself, so the padding does
# differs: real [[False, True]]: row 0 is 1, 0 instead of 0, 0; real [[True, False]]: row 1 has weight on itself
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & (real[:, None, :] | torch.eye(time, dtype=torch.bool))
    return scores.masked_fill(~allowed, -math.inf).softmax(dim=2)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()
