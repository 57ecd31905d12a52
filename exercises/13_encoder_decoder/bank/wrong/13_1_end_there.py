"""no end token behind a target whose last word has its number"""


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
