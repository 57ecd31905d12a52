"""the probabilities of the tokens that are read"""


# loses: answers, rest, characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, window[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count
