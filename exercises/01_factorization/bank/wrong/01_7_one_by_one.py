"""one call of the model for each window"""


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
