"""tokens without characters left out"""
# loses: together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total = 0.0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        losses = -log_probs.gather(1, targets[:, None])[:, 0]
        total += losses[lengths[targets] > 0].sum().item()
    return total / lengths[stream].sum().item()
