"""a last column in which all is padding"""


# loses: equal lengths, mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets)) + 1
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + [end] + missing * [ignored])
    return torch.tensor(read), torch.tensor(write)
