"""Right answers to question 01.7."""


# %% lists: Windows cut out as lists; one batch; Python sums.
def score_windows(model, tokens, start, context, stride):
    text = tokens.tolist()
    read, width = [start, *text[:-1]], min(context, len(text))
    windows, scored = [], []
    done = begin = 0
    while done < len(text):
        end = min(begin + width, len(text))
        windows.append(read[begin:end] + [0] * (begin + width - end))
        scored.append([(i - begin, text[i]) for i in range(done, end)])
        done, begin = end, begin + stride
    log_probs = torch.log_softmax(model(torch.tensor(windows)).double(), dim=-1)
    return torch.tensor([sum(rows[i, x].item() for i, x in new) for rows, new in zip(log_probs, scored)])


# %% owner: Each place asks which window is the first that holds it; sums by index_add.
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    place = torch.arange(time)
    owner = torch.where(place < width, 0, (place - width).div(stride, rounding_mode="floor") + 1)
    rows = torch.arange(int(owner[-1]) + 1)[:, None] * stride + torch.arange(width)
    shifted = torch.cat([torch.tensor([start]), tokens[:-1], torch.zeros(stride, dtype=torch.long)])
    log_probs = model(shifted[rows]).log_softmax(2)
    own = log_probs[owner, place - owner * stride, tokens]
    return torch.zeros(len(rows)).index_add(0, owner, own)


# %% table: A table of places and a mask of those that are new.
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1)


# %% unfold: The text padded to whole windows and unfolded; the first window by sequence_log_prob.
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
