"""The text padded to whole windows and unfolded; the first window by sequence_log_prob."""


def score_windows(model, tokens, start, context, stride):
    time = tokens.shape[0]
    width = min(context, time)
    missing = -(time - width) % stride
    shifted = torch.nn.functional.pad(tokens[:-1], (1, 0), value=start)
    read, target = (torch.nn.functional.pad(x, (0, missing)).unfold(0, width, stride) for x in (shifted, tokens))
    logits = model(read)
    first = sequence_log_prob(logits[:1], target[:1], torch.tensor([width]))
    if len(read) == 1:
        return first
    lengths = torch.full((len(read) - 1,), stride)
    lengths[-1] -= missing
    rest = sequence_log_prob(logits[1:, -stride:], target[1:, -stride:], lengths)
    return torch.cat([first, rest])
