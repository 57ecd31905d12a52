"""no EOS: the last word is the last target"""


# loses: inputs, targets, real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words)] = torch.tensor([sos, *words][: len(words)]).long()
        targets[row, : len(words)] = torch.tensor([*words]).long()
    return inputs, targets, torch.arange(time) < sizes[:, None]
