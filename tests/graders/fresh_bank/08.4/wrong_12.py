# question 08.4
# wrong: the padding is supposed to be at the end: the number of real positions is taken for their places
# differs: real [[False, True, True]]: keys 0 and 1 are seen instead of 1 and 2; right for padding at the end
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    real = torch.arange(time) < real.sum(dim=1, keepdim=True)
    allowed = past & real[:, None, :]
    nothing = ~allowed.any(dim=2, keepdim=True)
    scores = scores.masked_fill(~(allowed | nothing), -math.inf)
    return scores.softmax(dim=2).masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    log_probs = logits.log_softmax(dim=2)
    nats = -log_probs.gather(2, targets[:, :, None])[:, :, 0]
    return nats[real].mean()
