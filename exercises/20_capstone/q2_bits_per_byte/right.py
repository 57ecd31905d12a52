"""Right answers to question 20.2."""


# %% by_token: One window for each token, and logsumexp.
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    stream = [before] + tokens.tolist()
    n, bits = len(tokens), 0.0
    for t in range(n):
        end = min(n, t - t % fresh + fresh)
        first = max(0, end - context)
        scores = logits(torch.tensor([stream[first:end]]))[0][t - first].double()
        bits += (torch.logsumexp(scores, 0) - scores[stream[t + 1]]).item() / math.log(2)
    return bits / n_bytes


# %% cross_entropy: PyTorch's own cross-entropy on the end of each window.
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    inputs = torch.cat((tokens.new_tensor([before]), tokens))[:-1]
    total = torch.zeros((), dtype=torch.float64)
    for targets, read in zip(tokens.split(fresh), torch.arange(len(tokens)).split(fresh)):
        end = int(read[-1]) + 1
        window = inputs[:end][-context:]
        scores = logits(window.unsqueeze(0)).squeeze(0)[-len(targets) :].double()
        total += torch.nn.functional.cross_entropy(scores, targets, reduction="sum")
    return total / (n_bytes * math.log(2))


# %% numpy: NumPy, with the largest score subtracted.
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    text = tokens.numpy()
    inputs = np.concatenate([[before], text[:-1]]).astype(np.int64)
    total, begin = 0.0, 0
    while begin < len(text):
        end = min(begin + fresh, len(text))
        first = max(end - context, 0)
        scores = logits(torch.from_numpy(inputs[None, first:end]))[0].double().numpy()[begin - first :]
        scores = scores - scores.max(axis=1, keepdims=True)
        log_p = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        total -= log_p[np.arange(end - begin), text[begin:end]].sum()
        begin = end
    return total / np.log(2) / n_bytes
