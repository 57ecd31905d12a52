"""one window that holds the whole text"""


# loses: answers, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    context = len(stream)
    total, count = 0.0, 0
    for begin in [0]:
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count
