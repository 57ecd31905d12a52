"""Named mistakes in question 01.7."""


# %% always_overlap: windows that share a place where the stride is the context
# loses: disjoint
def score_windows(model, tokens, start, context, stride):
    stride = min(stride, max(1, context - 1))
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1)


# %% counted_again: all places of all windows, those that overlap counted again
# loses: coverage, overlap, one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= 0).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1)


# %% end_dropped: whole windows alone: what is left at the end of the text is not scored
# loses: coverage, disjoint, overlap, one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + 1, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1)


# %% filling_counted: scores of the filling behind the end of the text
# loses: coverage, disjoint, overlap, one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * fresh).sum(1)


# %% no_overlap: windows that do not overlap, whatever the stride
# loses: coverage, overlap, one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    stride = width
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1)


# %% not_shifted: a model that reads each token before it predicts it
# loses: one window, disjoint, overlap, one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = tokens
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1)


# %% oldest_places: the first places of each later window, which have been scored before
# loses: coverage, overlap, one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) < stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1)


# %% one_by_one: one call of the model for each window
# loses: one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    scores, begin, done = [], 0, 0
    while done < time:
        end = min(begin + width, time)
        log_probs = model(shifted[None, begin:end]).log_softmax(-1)[0, torch.arange(end - begin), tokens[begin:end]]
        scores.append(log_probs[done - begin :].sum())
        begin, done = begin + stride, end
    return torch.stack(scores)


# %% one_place_more: windows with one place more than the model reads at once
# loses: one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    longer = torch.cat([inside, inside[:, -1:]], dim=1)
    log_probs = model(shifted[longer])[:, :-1].log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1)


# %% short_dropped: no window at all for a text shorter than the context
# loses: one window
def score_windows(model, tokens, start, context, stride):
    if len(tokens) < context:
        return torch.zeros(0)
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1)


# %% sixty_four: no more than 64 windows
# loses: one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:64, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1)


# %% squeezed: a squeeze() that makes a single window's score a number without an axis
# loses: one window
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1).squeeze()


# %% start_again: the start token at the beginning of each window in place of the token before it
# loses: disjoint, overlap, one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    read = shifted[inside]
    read[:, 0] = start
    log_probs = model(read).log_softmax(-1).gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return (log_probs * (fresh & (places < time))).sum(1)


# %% underflow: the logarithm of a softmax computed first, which is log(0) for large logits
# loses: one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    places = torch.arange(0, time - width + stride, stride)[:, None] + torch.arange(width)
    inside = places.clamp(max=time - 1)
    log_probs = model(shifted[inside]).softmax(-1).log().gather(2, tokens[inside][..., None])[..., 0]
    fresh = (torch.arange(width) >= width - stride).expand(len(places), -1).clone()
    fresh[0] = True
    return torch.where(fresh & (places < time), log_probs, 0.0).sum(1)


# %% whole_text: a model that reads the whole text at once, more than its context
# loses: disjoint, overlap, one pass
def score_windows(model, tokens, start, context, stride):
    time, width = len(tokens), min(context, len(tokens))
    shifted = torch.cat([tokens.new_tensor([start]), tokens[:-1]])
    log_probs = model(shifted[None]).log_softmax(-1)[0, torch.arange(time), tokens]
    ends = torch.arange(width, time + stride, stride).clamp(max=time).tolist()
    return torch.stack([log_probs[a:b].sum() for a, b in zip([0, *ends], ends)])
