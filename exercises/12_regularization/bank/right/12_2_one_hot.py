"""The smoothed targets written out."""


def smoothed_loss(logits, targets, epsilon, ignored):
    vocab = logits.shape[-1]
    counts = (targets != ignored).to(logits.dtype)
    one_hot = (targets.unsqueeze(-1) == torch.arange(vocab)).to(logits.dtype)
    q = (1 - epsilon) * one_hot + epsilon / vocab
    costs = -(q * torch.log_softmax(logits, dim=-1)).sum(dim=-1)
    return (costs * counts).sum() / max(counts.sum(), 1)
