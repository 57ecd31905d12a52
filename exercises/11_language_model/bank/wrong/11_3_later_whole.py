"""a last window that reaches back, scored for its new tokens alone"""


# loses: together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        early = max(0, min(begin, len(stream) - context))
        window = inputs[early : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)[
            -len(targets) :
        ]
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count
