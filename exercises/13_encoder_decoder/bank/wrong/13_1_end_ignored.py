"""the right tokens, but both matrices in the other's place"""


# loses: equal lengths, mixed lengths, empty
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append(target + [end] + missing * [ignored])
        write.append([start] + target + missing * [end])
    return torch.tensor(read), torch.tensor(write)
