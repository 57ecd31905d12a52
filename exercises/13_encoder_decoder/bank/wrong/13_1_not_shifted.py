"""inputs that are the answers themselves, with no start token"""


# loses: equal lengths, mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append(target + [end] + missing * [end])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)
