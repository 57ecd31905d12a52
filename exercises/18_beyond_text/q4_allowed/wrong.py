"""Named mistakes in question 18.4."""


# %% any_closing: a mask on which every label can close
# loses: within, ends, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[3::2] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% first_closing: a mask on which the outermost bracket closes in place of the last one
# loses: within, ends, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[0] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% all_open_closings: a mask on which each bracket that is open can close
# loses: within, ends, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[[one + 1 for one in opened]] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% empty_closes: brackets that can close with nothing in them
# loses: within, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% last_is_word: brackets that can close behind a word alone, and not behind another bracket
# loses: within, ends, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and prefix[-1] == 1 and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% outermost_closes: an outermost bracket that can close while words are left
# loses: ends, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty:
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% late_closings: brackets that close only when no word is left
# loses: within, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and not left:
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% word_first: a word that can stand before any bracket
# loses: ends, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% words_for_ever: words that can follow when the sentence has no more
# loses: ends, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% opens_for_nothing: brackets that open when no word is left for them
# loses: ends, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% end_beside: an end that can come when all words are read, though brackets are open
# loses: ends, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if prefix and not left:
        mask[0] = True
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% second_tree: another tree after the first is complete
# loses: ends, room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        mask[2::2] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% no_room: brackets that open for ever, whatever the line's length
# loses: room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% room_without_end: room for a bracket that does not count the end
# loses: room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 2 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% room_without_closings: room for a bracket that does not count the closings of the others
# loses: room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% room_without_words: room for a bracket that does not count the words to come
# loses: room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% room_without_closing: room for the opening of a bracket, and not for its own closing
# loses: room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 1 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% one_too_little: a bracket that does not open where it would just fit
# loses: room, written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 4 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line


# %% large_negative: a large negative number in place of minus infinity
# loses: written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -1e9).argmax()
        line.append(best.item())
    return line


# %% zeroed: scores of zero where a token is not allowed
# loses: written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line and len(line) < longest:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, 0.0).argmax()
        line.append(best.item())
    return line


# %% end_left_out: a line without its end
# loses: written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, -math.inf).argmax()
        line.append(best.item())
    return line[:-1]


# %% lowest: the line of the lowest scores
# loses: written
def allowed(prefix, labels, words, longest):
    opened, is_empty = [], True
    for token in prefix:
        is_empty = token != 1 and token % 2 == 0
        if is_empty:
            opened.append(token)
        elif token != 1:
            opened.pop()
    left = words - prefix.count(1)
    mask = torch.zeros(2 + 2 * labels, dtype=torch.bool)
    if prefix and not opened:
        mask[0] = True
        return mask
    if left and opened:
        mask[1] = True
    if left and len(prefix) + left + len(opened) + 3 <= longest:
        mask[2::2] = True
    if opened and not is_empty and (len(opened) > 1 or not left):
        mask[opened[-1] + 1] = True
    return mask


def write(scores, labels, words, longest):
    line = []
    while 0 not in line:
        mask = allowed(line, labels, words, longest)
        best = scores(line).masked_fill(~mask, math.inf).argmin()
        line.append(best.item())
    return line
