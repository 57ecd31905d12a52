"""EOS at the end of the inputs too, one column more"""


# loses: inputs, targets, real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max()) + 1
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 2] = torch.tensor([sos, *words, eos])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, torch.arange(time) < sizes[:, None]
