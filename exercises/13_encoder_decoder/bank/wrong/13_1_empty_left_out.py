"""a batch without its empty targets"""


# loses: empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in [t for t in targets if t] or [[]]:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)
