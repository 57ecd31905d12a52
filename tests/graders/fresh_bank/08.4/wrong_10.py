# question 08.4
# wrong: the logarithm of the softmax is taken, which is minus infinity for logits in the thousands
# differs: logits [[[2000.0, 0.0]]], target 1: infinity instead of 2000
def masked_weights(query, key, real):
    time, d = query.shape[1:]
    scores = query @ key.transpose(1, 2) / math.sqrt(d)
    past = torch.ones(time, time, dtype=torch.bool).tril()
    allowed = past & real[:, None, :]
    nothing = ~allowed.any(dim=2, keepdim=True)
    scores = scores.masked_fill(~(allowed | nothing), -math.inf)
    return scores.softmax(dim=2).masked_fill(nothing, 0.0)


def mean_nats(logits, targets, real):
    probs = logits.softmax(dim=2).gather(2, targets[:, :, None])[:, :, 0]
    return -probs[real].log().mean()
