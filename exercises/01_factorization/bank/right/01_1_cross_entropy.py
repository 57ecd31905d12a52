"""PyTorch's cross-entropy without reduction, weighted by a mask."""
def sequence_log_prob(logits, tokens, lengths):
    nats = torch.nn.functional.cross_entropy(logits.transpose(1, 2), tokens, reduction="none")
    inside = torch.arange(tokens.shape[1]).expand_as(tokens) < lengths.unsqueeze(1)
    return -(nats * inside).sum(dim=1)
