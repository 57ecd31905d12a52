"""Right answers to question 18.4."""


# %% sets: A set of tokens, turned into a mask at the end.
def allowed(prefix, labels, words, longest):
    stack = []
    for token in prefix:
        if token == 1:
            stack[-1][1] += 1
        elif token % 2 == 0:
            stack.append([token, 0])
        else:
            stack.pop()
            if stack:
                stack[-1][1] += 1
    left = words - sum(1 for token in prefix if token == 1)
    tokens = set()
    if not stack:
        tokens = {0} if prefix else set(range(2, 2 * labels + 2, 2))
    else:
        label, n_parts = stack[-1]
        if left > 0:
            tokens.add(1)
            least = len(prefix) + left + len(stack) + 1
            if least + 2 <= longest:
                tokens.update(range(2, 2 * labels + 2, 2))
        if n_parts > 0 and not (len(stack) == 1 and left > 0):
            tokens.add(label + 1)
    mask = [token in tokens for token in range(2 * labels + 2)]
    return torch.tensor(mask)


def write(scores, labels, words, longest):
    line, token = [], None
    while token != 0:
        here = scores(line).tolist()
        mask = allowed(line, labels, words, longest).tolist()
        token = max((i for i in range(len(here)) if mask[i]), key=lambda i: here[i])
        line.append(token)
    return line


# %% spare: The room is kept as a number of tokens to spare, and what is open as its closing tokens.
def allowed(prefix, labels, words, longest):
    closings, spare, left, last = [], longest - words - 1, words, None
    for token in prefix:
        last = token
        if token == 1:
            left -= 1
        elif token % 2:
            closings.pop()
        else:
            closings.append(token + 1)
            spare -= 2
    opens = torch.arange(2 + 2 * labels) % 2 == 0
    opens[0] = False
    none = torch.zeros_like(opens)
    if last is None:
        return opens
    if not closings:
        none[0] = True
        return none
    mask = opens if left > 0 and spare >= 2 else none
    mask[1] = left > 0
    was_opened = last > 1 and last % 2 == 0
    mask[closings[-1]] = not was_opened and (left == 0 or len(closings) >= 2)
    return mask


def write(scores, labels, words, longest):
    line = []
    for _ in range(longest):
        mask = allowed(line, labels, words, longest)
        can = mask.nonzero()[:, 0]
        line.append(int(can[scores(line)[can].argmax()]))
        if line[-1] == 0:
            break
    return line


# %% backwards: From the end of the prefix back to the bracket that is open; sums for the rest.
def allowed(prefix, labels, words, longest):
    codes = torch.tensor(prefix, dtype=torch.long)
    n_open = int((codes % 2 == 0).sum())
    n_words = int((codes == 1).sum())
    depth = n_open - (len(prefix) - n_open - n_words)
    left = words - n_words
    place = torch.arange(2 + 2 * labels)
    if not prefix:
        return (place > 1) & (place % 2 == 0)
    if depth == 0:
        return place == 0
    closed, at = 0, len(prefix) - 1
    while prefix[at] == 1 or prefix[at] % 2 == 1 or closed > 0:
        if prefix[at] > 1:
            closed += 1 if prefix[at] % 2 == 1 else -1
        at -= 1
    word = (place == 1) & (left > 0)
    fits = left > 0 and len(prefix) + 1 + left + depth + 1 + 1 <= longest
    opening = (place > 1) & (place % 2 == 0) & fits
    closes = at < len(prefix) - 1 and (depth > 1 or left == 0)
    return word | opening | ((place == prefix[at] + 1) & closes)


def write(scores, labels, words, longest, line=()):
    line = list(line)
    if line and line[-1] == 0:
        return line
    mask = allowed(line, labels, words, longest)
    best = torch.where(mask, scores(line), -torch.inf).argmax()
    return write(scores, labels, words, longest, [*line, best.item()])
