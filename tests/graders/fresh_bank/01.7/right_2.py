# question 01.7
def score_windows(model, tokens, start, context, stride):
    text = tokens.tolist()
    places = [start] + text[:-1]
    size = min(context, len(text))

    begins = [0]
    while begins[-1] + size < len(text):
        begins.append(begins[-1] + stride)

    rows = []
    for begin in begins:
        row = places[begin : begin + size]
        rows.append(row + [text[0]] * (size - len(row)))
    logits = model(torch.tensor(rows))

    result, done = [], 0
    for row, begin in enumerate(begins):
        end = min(begin + size, len(text))
        scores = logits[row : row + 1, done - begin : end - begin]
        lengths = torch.tensor([end - done])
        result.append(sequence_log_prob(scores, tokens[None, done:end], lengths))
        done = end
    return torch.cat(result)
