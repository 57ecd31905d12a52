"""everything behind the first end token taken for padding"""


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
