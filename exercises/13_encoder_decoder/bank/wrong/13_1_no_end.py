"""targets without an end token"""


# loses: equal lengths, mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + (missing + 1) * [ignored])
    return torch.tensor(read), torch.tensor(write)
