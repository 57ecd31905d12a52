"""end tokens that stand in the last column, behind the padding"""


# loses: mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + missing * [ignored] + [end])
    return torch.tensor(read), torch.tensor(write)
