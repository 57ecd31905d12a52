"""Right answers to question 18.2."""


# %% descent: A function for a bracket, which calls itself for each bracket within.
def linearize(tree):
    inside = []
    for part in tree[1:]:
        inside.extend(linearize(part) if isinstance(part, tuple) else [1])
    return [tree[0] * 2] + inside + [tree[0] * 2 + 1]


def read_line(line, n_words):
    rest = list(line)
    count = 0

    def bracket():
        nonlocal count
        if not rest or rest[0] < 2 or rest[0] % 2 == 1:
            raise ValueError("no bracket opens here")
        label = rest.pop(0) // 2
        parts = []
        while rest and rest[0] != 2 * label + 1:
            if rest[0] == 1:
                rest.pop(0)
                parts.append(count)
                count += 1
            else:
                parts.append(bracket())
        if not rest or not parts:
            raise ValueError("it is left open, or empty")
        rest.pop(0)
        return (label, *parts)

    try:
        tree = bracket()
    except ValueError:
        return None
    return None if rest or count != n_words else tree


# %% reductions: A stack on which a closing token folds all that lies above its opening.
def linearize(tree):
    line, to_do = [], [tree]
    while to_do:
        part = to_do.pop()
        if isinstance(part, str):
            line.append(int(part))
        elif isinstance(part, int):
            line.append(1)
        else:
            line.append(2 * part[0])
            to_do.append(str(2 * part[0] + 1))
            to_do.extend(reversed(part[1:]))
    return line


def read_line(line, n_words):
    if line.count(1) != n_words:
        return None
    stack, words = [], 0
    for token in line:
        if token == 0:
            return None
        if token == 1:
            stack.append(words)
            words += 1
        elif token % 2 == 0:
            stack.append([token // 2])
        else:
            parts = []
            while stack and not isinstance(stack[-1], list):
                parts.insert(0, stack.pop())
            if not stack or not parts or stack[-1] != [token // 2]:
                return None
            stack.pop()
            stack.append((token // 2, *parts))
        if len(stack) > 1 and not isinstance(stack[0], list):
            return None
    return stack[0] if len(stack) == 1 and isinstance(stack[0], tuple) else None


# %% depths: The depth of each place is checked first; then the trees are cut out by depth.
def linearize(tree):
    label = tree[0]
    inside = [linearize(part) if isinstance(part, tuple) else [1] for part in tree[1:]]
    return [2 * label, *(token for piece in inside for token in piece), 2 * label + 1]


def read_line(line, n_words):
    steps = [0 if token == 1 else 1 if token % 2 == 0 else -1 for token in line]
    depths = [sum(steps[: i + 1]) for i in range(len(line))]
    if not line or 0 in line or line.count(1) != n_words or depths[-1] != 0:
        return None
    if any(depth < 1 for depth in depths[:-1]):
        return None
    numbers = iter(range(n_words))

    def cut(start, end):
        """The tree whose brackets are at start and end, or None."""
        parts, i = [], start + 1
        while i < end:
            if line[i] == 1:
                parts.append(next(numbers))
                i += 1
            else:
                close = next(j for j in range(i + 1, end) if depths[j] == depths[start])
                parts.append(cut(i, close))
                i = close + 1
        fits = line[end] == line[start] + 1 and parts and None not in parts
        return (line[start] // 2, *parts) if fits else None

    return cut(0, len(line) - 1)
