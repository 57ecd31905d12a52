"""inputs that the targets overwrite: both are the same tensor"""


# loses: inputs
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = inputs
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, torch.arange(time) < sizes[:, None]
