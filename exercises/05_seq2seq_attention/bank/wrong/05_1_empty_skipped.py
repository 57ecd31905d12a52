"""sentences without a word skipped"""


# loses: inputs, targets, real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + bool(words) for words in sentences])
    time = max(1, int(sizes.max()))
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        if not words:
            continue
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, torch.arange(time) < sizes[:, None]
