"""Named mistakes in question 13.1."""


# %% column_of_padding: a last column in which all is padding
# loses: equal lengths, mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets)) + 1
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)


# %% empty_left_out: a batch without its empty targets
# loses: empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in [t for t in targets if t] or [[]]:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)


# %% end_ignored: the right tokens, but both matrices in the other's place
# loses: equal lengths, mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append(target + [end] + missing * [ignored])
        write.append([start] + target + missing * [end])
    return torch.tensor(read), torch.tensor(write)


# %% end_last: end tokens that stand in the last column, behind the padding
# loses: mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + missing * [ignored] + [end])
    return torch.tensor(read), torch.tensor(write)


# %% end_there: no end token behind a target whose last word has its number
# loses: mixed lengths
def shift(targets, start, end, ignored):
    time = max(len(target) for target in targets) + 1
    read = torch.full((len(targets), time), end)
    write = torch.full((len(targets), time), ignored)
    for row, target in enumerate(targets):
        n = len(target)
        ended = target if target[-1:] == [end] else [*target, end]
        read[row, : n + 1] = torch.tensor([start, *target])
        write[row, : len(ended)] = torch.tensor(ended)
    return read, write


# %% ends_as_padding: everything behind the first end token taken for padding
# loses: mixed lengths
def shift(targets, start, end, ignored):
    time = max(map(len, targets)) + 1
    read = torch.full((len(targets), time), end)
    write = torch.full((len(targets), time), end)
    for row, target in enumerate(targets):
        n = len(target)
        read[row, : n + 1] = torch.tensor([start, *target])
        write[row, : n + 1] = torch.tensor([*target, end])
    ends = (write == end).long()
    return read, write.masked_fill(ends.cumsum(1) > ends, ignored)


# %% ignored_read: padding with the ignored number in what is read
# loses: mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [ignored])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)


# %% left_padding: rows filled up on the left
# loses: mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append(missing * [end] + [start] + target)
        write.append(missing * [ignored] + target + [end])
    return torch.tensor(read), torch.tensor(write)


# %% minus_100: padding with -100, whatever number is to be ignored
# loses: mixed lengths
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + [end] + missing * [-100])
    return torch.tensor(read), torch.tensor(write)


# %% no_end: targets without an end token
# loses: equal lengths, mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + (missing + 1) * [ignored])
    return torch.tensor(read), torch.tensor(write)


# %% not_shifted: inputs that are the answers themselves, with no start token
# loses: equal lengths, mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append(target + [end] + missing * [end])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)


# %% padding_counted: padding that the loss counts as end tokens
# loses: mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + [end] + missing * [end])
    return torch.tensor(read), torch.tensor(write)


# %% reversed: the target read from right to left
# loses: equal lengths, mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target[::-1] + missing * [end])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)


# %% start_there: no start token before a target whose first word has its number
# loses: mixed lengths
def shift(targets, start, end, ignored):
    time = max(len(target) for target in targets) + 1
    read = torch.full((len(targets), time), end)
    write = torch.full((len(targets), time), ignored)
    for row, target in enumerate(targets):
        n = len(target)
        begun = target if target[:1] == [start] else [start, *target]
        read[row, : len(begun)] = torch.tensor(begun)
        write[row, : n + 1] = torch.tensor([*target, end])
    return read, write


# %% starts_read: padding with the start token in what is read
# loses: mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [start])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)


# %% words_0_as_padding: words with the number 0 that are taken for padding
# loses: mixed lengths
def shift(targets, start, end, ignored):
    time = max(map(len, targets)) + 1
    padded = torch.zeros(len(targets), time, dtype=torch.long)
    for row, target in zip(padded, targets):
        row[: len(target)] = torch.tensor(target)
    n, place = (padded != 0).sum(1, keepdim=True), torch.arange(time)
    read = torch.where(place <= n, padded.roll(1, 1), end)
    read[:, 0] = start
    write = torch.where(place < n, padded, torch.where(place == n, end, ignored))
    return read, write


# %% zeros_read: padding with token 0 in what is read
# loses: mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [0])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)


# %% bytes: tokens kept as bytes, so that those above 255 are others
# loses: mixed lengths
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        target = np.array(target, dtype=int).astype(np.uint8).tolist()
        read.append([start] + target + missing * [end])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)


# %% two_columns: two columns at least, also where every target is empty
# loses: empty
def shift(targets, start, end, ignored):
    longest = max(1, *map(len, targets), 0)
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)
