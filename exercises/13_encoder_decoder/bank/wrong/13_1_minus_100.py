"""padding with -100, whatever number is to be ignored"""


# loses: mixed lengths
def shift(targets, start, end, ignored):
    longest = max(map(len, targets))
    read, write = [], []
    for target in targets:
        missing = longest - len(target)
        read.append([start] + target + missing * [end])
        write.append(target + [end] + missing * [-100])
    return torch.tensor(read), torch.tensor(write)
