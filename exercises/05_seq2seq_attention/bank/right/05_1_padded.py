"""Tensors of different lengths, padded by the library."""


from torch.nn.utils.rnn import pad_sequence


def decoder_batch(sentences, sos, eos, pad):
    rows = [torch.tensor(words, dtype=torch.long) for words in sentences]
    inputs = pad_sequence([F.pad(row, (1, 0), value=sos) for row in rows], True, pad)
    targets = pad_sequence([F.pad(row, (0, 1), value=eos) for row in rows], True, pad)
    real = pad_sequence([torch.ones(len(row) + 1, dtype=torch.bool) for row in rows], True)
    return inputs, targets, real
