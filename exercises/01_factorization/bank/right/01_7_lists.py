"""Windows cut out as lists; one batch; Python sums."""


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
