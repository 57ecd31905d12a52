"""Named mistakes in question 05.1."""


# %% all_real: every place counted as real
# loses: real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, torch.ones(len(sizes), time, dtype=torch.bool)


# %% both: SOS in front of the targets as well
# loses: inputs, targets, real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 2 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 2] = torch.tensor([sos, *words, eos])
        targets[row, : len(words) + 2] = torch.tensor([sos, *words, eos])
    return inputs, targets, torch.arange(time) < sizes[:, None]


# %% empty_skipped: sentences without a word skipped
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


# %% end_left_open: no EOS: its place is left to the padding
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


# %% eos_at_the_end: EOS in the last column instead of behind the last word
# loses: targets
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words)] = torch.tensor(words).long()
        targets[row, -1] = eos
    return inputs, targets, torch.arange(time) < sizes[:, None]


# %% eos_closes_inputs: EOS at the end of the inputs too, one column more
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


# %% eos_read: inputs that are the targets moved by one place, so that short sentences read their EOS
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


# %% exchanged: inputs and targets exchanged
# loses: inputs, targets
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return targets, inputs, torch.arange(time) < sizes[:, None]


# %% filled_with_eos: targets filled up with EOS
# loses: targets
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), eos)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, torch.arange(time) < sizes[:, None]


# %% inverted: True for padding instead of what is real
# loses: real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, torch.arange(time) >= sizes[:, None]


# %% last_unread: the last word of a sentence missing from its inputs
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


# %% no_eos: no EOS: the last word is the last target
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


# %% no_sos: inputs without SOS
# loses: inputs
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words)] = torch.tensor(words).long()
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, torch.arange(time) < sizes[:, None]


# %% not_shifted: targets that are the inputs themselves
# loses: targets
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row] = inputs[row]
    return inputs, targets, torch.arange(time) < sizes[:, None]


# %% numbers: numbers 0 and 1 instead of False and True
# loses: real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, (torch.arange(time) < sizes[:, None]).long()


# %% one_tensor: inputs that the targets overwrite: both are the same tensor
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


# %% padded_in_front: padding in front of the sentences
# loses: inputs, targets, real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, time - len(words) - 1 :] = torch.tensor([sos, *words])
        targets[row, time - len(words) - 1 :] = torch.tensor([*words, eos])
    return inputs, targets, torch.arange(time) >= time - sizes[:, None]


# %% search: real targets found by comparing them with pad
# loses: real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, targets != pad


# %% search_inputs: real targets found by comparing the inputs with pad
# loses: real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, inputs != pad


# %% time_first: time as the first axis
# loses: inputs, targets, real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs.T, targets.T, (torch.arange(time) < sizes[:, None]).T


# %% until_eos: real targets up to the first one with the number of EOS
# loses: real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, ((targets == eos).cumsum(1) - (targets == eos).long()) == 0


# %% words_alone: EOS not counted among the real targets
# loses: real
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, torch.arange(time) < sizes[:, None] - 1


# %% zeros: zeros in place of pad
# loses: inputs, targets
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.zeros(len(sentences), time).long()
    targets = torch.zeros(len(sentences), time).long()
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs, targets, torch.arange(time) < sizes[:, None]


# %% eight_bits: numbers of words kept in eight bits
# loses: inputs, targets
def decoder_batch(sentences, sos, eos, pad):
    sizes = torch.tensor([len(words) + 1 for words in sentences])
    time = int(sizes.max())
    inputs = torch.full((len(sentences), time), pad)
    targets = torch.full((len(sentences), time), pad)
    for row, words in enumerate(sentences):
        inputs[row, : len(words) + 1] = torch.tensor([sos, *words])
        targets[row, : len(words) + 1] = torch.tensor([*words, eos])
    return inputs % 256, targets % 256, torch.arange(time) < sizes[:, None]
