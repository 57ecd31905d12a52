"""a window of its own for each token, which ends with the token before"""


# loses: answers, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total = 0.0
    for place in range(len(stream)):
        window = inputs[max(0, place + 1 - context) : place + 1]
        log_probs = logits(window[None])[0, -1].log_softmax(dim=-1)
        total -= log_probs[stream[place]].item()
    return total / lengths[stream].sum().item()
