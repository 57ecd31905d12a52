"""no EOS: its place is left to the padding"""


# loses: targets, real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, pad])
    return inputs, targets, torch.arange(time) < sizes[:, None] - 1
