"""One NumPy array of SOS, words and EOS, cut in two."""


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
