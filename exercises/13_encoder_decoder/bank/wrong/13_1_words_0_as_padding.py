"""words with the number 0 that are taken for padding"""


# loses: mixed lengths
def shift(targets, start, end, ignored):
    time = max(map(len, targets)) + 1
    padded = torch.zeros(len(targets), time, dtype=torch.long)
    for row, target in zip(padded, targets):
        row[: len(target)] = torch.tensor(target)
    n, place = (padded != 0).sum(1, keepdim=True), torch.arange(time)
    read = torch.where(place <= n, padded.roll(1, 1), end)
    read[:, 0] = start
    write = torch.where(place < n, padded, torch.where(place == n, end, ignored))
    return read, write
