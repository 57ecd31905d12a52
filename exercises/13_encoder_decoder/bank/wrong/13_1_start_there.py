"""no start token before a target whose first word has its number"""


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
