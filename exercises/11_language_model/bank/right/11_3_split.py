"""Windows cut by split, losses from a list."""


def nats_per_character(logits, stream, lengths, context, start):
    inputs = stream.roll(1)
    inputs[0] = start
    nats = []
    for window, targets in zip(inputs.split(context), stream.split(context)):
        scores = logits(window.unsqueeze(0)).squeeze(0).double()
        chosen = scores[torch.arange(len(targets)), targets]
        nats.append(scores.logsumexp(dim=1) - chosen)
    return float(torch.cat(nats).sum() / lengths[stream].sum())
