"""the last word of a sentence missing from its inputs"""


# loses: inputs
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : max(1, len(words))] = torch.tensor([sos, *words[:-1]])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, torch.arange(time) < sizes[:, None]
