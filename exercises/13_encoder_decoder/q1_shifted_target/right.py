"""Right answers to question 13.1."""


# %% lists: Lists filled up one by one.
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)


# %% pad_sequence: PyTorch's own padding.
def shift(targets, start, end, ignored):
    pad = torch.nn.utils.rnn.pad_sequence
    read = pad([torch.tensor([start, *t]) for t in targets], True, end)
    write = pad([torch.tensor([*t, end]) for t in targets], True, ignored)
    return read, write


# %% where: One matrix of tokens, moved and masked.
def shift(targets, start, end, ignored):
    lengths = np.array([len(t) for t in targets])[:, None]
    place = np.arange(lengths.max() + 1)[None]
    tokens = np.zeros((len(targets), lengths.max() + 1), dtype=int)
    for row, target in zip(tokens, targets):
        row[: len(target)] = target
    before = np.concatenate([np.full_like(lengths, start), tokens[:, :-1]], axis=1)
    read = np.where(place <= lengths, before, end)
    write = np.where(place < lengths, tokens, np.where(place == lengths, end, ignored))
    return torch.from_numpy(read), torch.from_numpy(write)
