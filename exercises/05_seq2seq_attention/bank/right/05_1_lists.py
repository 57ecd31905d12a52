"""Rows as lists, filled up one by one."""


def decoder_batch(sentences, sos, eos, pad):
    longest = max(map(len, sentences))
    inputs, targets, real = [], [], []
    for words in sentences:
        missing = longest - len(words)
        inputs.append([sos] + list(words) + missing * [pad])
        targets.append(list(words) + [eos] + missing * [pad])
        real.append([column <= len(words) for column in range(longest + 1)])
    return torch.tensor(inputs), torch.tensor(targets), torch.tensor(real)
