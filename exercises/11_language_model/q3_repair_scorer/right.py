"""Right answers to question 11.3."""


# %% mended: The given function with three lines mended.
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count


# %% split: Windows cut by split, losses from a list.
def nats_per_character(logits, stream, lengths, context, start):
    inputs = stream.roll(1)
    inputs[0] = start
    nats = []
    for window, targets in zip(inputs.split(context), stream.split(context)):
        scores = logits(window.unsqueeze(0)).squeeze(0).double()
        chosen = scores[torch.arange(len(targets)), targets]
        nats.append(scores.logsumexp(dim=1) - chosen)
    return float(torch.cat(nats).sum() / lengths[stream].sum())
