"""Right answers to question 05.1."""


# %% lists: Rows as lists, filled up one by one.
def decoder_batch(sentences, sos, eos, pad):
    longest = max(map(len, sentences))
    inputs, targets, real = [], [], []
    for words in sentences:
        missing = longest - len(words)
        inputs.append([sos] + list(words) + missing * [pad])
        targets.append(list(words) + [eos] + missing * [pad])
        real.append([column <= len(words) for column in range(longest + 1)])
    return torch.tensor(inputs), torch.tensor(targets), torch.tensor(real)


# %% numpy: One NumPy array of SOS, words and EOS, cut in two.
def decoder_batch(sentences, sos, eos, pad):
    sizes = np.array([len(words) for words in sentences])
    table = np.full((len(sentences), sizes.max() + 2), pad)
    table[:, 0] = sos
    for b, words in enumerate(sentences):
        for t, word in enumerate(words, start=1):
            table[b, t] = word
    inputs, targets = table[:, :-1].copy(), table[:, 1:].copy()
    targets[np.arange(len(sentences)), sizes] = eos
    columns = np.arange(sizes.max() + 1)[None]
    return tuple(map(torch.from_numpy, (inputs, targets, columns <= sizes[:, None])))


# %% padded: Tensors of different lengths, padded by the library.
from torch.nn.utils.rnn import pad_sequence


def decoder_batch(sentences, sos, eos, pad):
    rows = [torch.tensor(words, dtype=torch.long) for words in sentences]
    inputs = pad_sequence([F.pad(row, (1, 0), value=sos) for row in rows], True, pad)
    targets = pad_sequence([F.pad(row, (0, 1), value=eos) for row in rows], True, pad)
    real = pad_sequence([torch.ones(len(row) + 1, dtype=torch.bool) for row in rows], True)
    return inputs, targets, real
