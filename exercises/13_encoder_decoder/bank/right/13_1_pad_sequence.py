"""PyTorch's own padding."""


def shift(targets, start, end, ignored):
    pad = torch.nn.utils.rnn.pad_sequence
    read = pad([torch.tensor([start, *t]) for t in targets], True, end)
    write = pad([torch.tensor([*t, end]) for t in targets], True, ignored)
    return read, write
