"""inputs that are the targets moved by one place, so that short sentences read their EOS"""


# loses: inputs
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    inputs[:, 1:] = targets[:, :-1]
    return inputs, targets, torch.arange(time) < sizes[:, None]
