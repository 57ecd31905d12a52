"""rows filled up on the left"""


# loses: mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append(missing * [end] + [start] + target)
        write.append(missing * [ignored] + target + [end])
    return torch.tensor(read), torch.tensor(write)
