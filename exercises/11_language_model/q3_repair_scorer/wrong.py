"""Named mistakes in question 11.3."""


# %% all_characters: characters of the vocabulary in place of those of the text
# loses: answers, rest, characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count = lengths.sum().item()
    return total / count


# %% answers_left: the windows and the characters mended, the answers still in sight
# loses: answers, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = stream
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count


# %% bits: bits in place of nats
# loses: answers, rest, characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count / math.log(2)


# %% characters_left: the shift and the windows mended, nats still per token
# loses: characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += len(targets)
    return total / count


# %% characters_of_inputs: characters of what is read in place of what is scored
# loses: characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[window].sum().item()
    return total / max(count, 1)


# %% first_not_scored: a text whose first token is read and not scored
# loses: answers, rest, characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs, stream = stream[:-1], stream[1:]
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / max(count, 1)


# %% inputs_scored: the probabilities of the tokens that are read
# loses: answers, rest, characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, window[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count


# %% last_window_whole: a last window that begins earlier, so that tokens are scored twice
# loses: rest, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        begin = max(0, min(begin, len(stream) - context))
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count


# %% later_whole: a last window that reaches back, scored for its new tokens alone
# loses: together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        early = max(0, min(begin, len(stream) - context))
        window = inputs[early : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)[
            -len(targets) :
        ]
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count


# %% log_of_scores: scores that are not normalized
# loses: answers, rest, characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0]
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count


# %% log_of_softmax: the logarithm of a softmax
# loses: together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].softmax(dim=-1).log()
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count


# %% mean_length: the mean length of the vocabulary's tokens for each token
# loses: characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += len(targets) * lengths.double().mean().item()
    return total / count


# %% mean_of_windows: the mean of the windows' nats per character
# loses: rest, characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        nats = -log_probs.gather(1, targets[:, None]).sum().item()
        total += nats / max(1, lengths[targets].sum().item())
        count += 1
    return total / count


# %% no_score_without_characters: tokens without characters left out
# loses: together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total = 0.0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        losses = -log_probs.gather(1, targets[:, None])[:, 0]
        total += losses[lengths[targets] > 0].sum().item()
    return total / lengths[stream].sum().item()


# %% no_start: a first input that is token 0 in place of the start token
# loses: answers, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([0]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count


# %% only_characters: only the characters mended
# loses: answers, rest, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = stream
    total, count = 0.0, 0
    for begin in range(0, len(stream) - context + 1, context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / max(count, 1)


# %% only_rest: only the windows mended
# loses: answers, characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = stream
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += len(targets)
    return total / count


# %% only_shift: only the shift mended
# loses: rest, characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream) - context + 1, context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += len(targets)
    return total / max(count, 1)


# %% over_places: the softmax over places in place of tokens
# loses: answers, rest, characters, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=0)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count


# %% rest_in_characters: a dropped last window whose characters count all the same
# loses: rest, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream) - context + 1, context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / lengths[stream].sum().item()


# %% rest_left: the shift and the characters mended, the last window still dropped
# loses: rest, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream) - context + 1, context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / max(count, 1)


# %% shifted_back: inputs that are moved one place to the left
# loses: answers, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([stream[1:], torch.tensor([start])])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count


# %% sliding: a window of its own for each token, which ends with the token before
# loses: answers, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total = 0.0
    for place in range(len(stream)):
        window = inputs[max(0, place + 1 - context) : place + 1]
        log_probs = logits(window[None])[0, -1].log_softmax(dim=-1)
        total -= log_probs[stream[place]].item()
    return total / lengths[stream].sum().item()


# %% start_in_each: the start token at the beginning of each window
# loses: answers, together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total, count = 0.0, 0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context].clone()
        window[0] = start
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
        count += lengths[targets].sum().item()
    return total / count


# %% one_token_free: a text of one token that costs nothing
# loses: together
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]])
    total = 0.0
    for begin in range(0, len(stream) if len(stream) > 1 else 0, context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
    return total / lengths[stream].sum().item()


# %% wrapped: tokens kept as bytes, so that those above 255 are others
# loses: answers
def nats_per_character(logits, stream, lengths, context, start):
    inputs = torch.cat([torch.tensor([start]), stream[:-1]]) % 256
    total = 0.0
    for begin in range(0, len(stream), context):
        window = inputs[begin : begin + context]
        targets = stream[begin : begin + context]
        log_probs = logits(window[None])[0].log_softmax(dim=-1)
        total -= log_probs.gather(1, targets[:, None]).sum().item()
    return total / lengths[stream].sum().item()
