"""One matrix of tokens, moved and masked."""


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
