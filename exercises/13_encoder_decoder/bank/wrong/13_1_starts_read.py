"""padding with the start token in what is read"""


# loses: mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [start])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)
