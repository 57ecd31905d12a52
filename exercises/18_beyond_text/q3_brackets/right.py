"""Right answers to question 18.3."""


# %% one_by_one: Places by running sums, and each bracket takes an equal one that is free.
def brackets(tree, scored):
    before = [0]
    for one in scored:
        before.append(before[-1] + int(one))

    def of(part):
        if isinstance(part, int):
            return part, part + 1, []
        inside = [of(inner) for inner in part[1:]]
        start, end = inside[0][0], inside[-1][1]
        below = [bracket for _, _, found in inside for bracket in found]
        own = (part[0], before[start], before[end])
        keeps = part[0] != 1 and own[1] != own[2]
        return start, end, [own] * keeps + below

    return of(tree)[2]


def f1(lines, trees, scored):
    m, h, r = 0, 0, 0
    for number in range(len(lines)):
        parse = read_line(lines[number], len(scored[number]))
        free = list(brackets(trees[number], scored[number]))
        r += len(free)
        if parse is None:
            continue
        for bracket in brackets(parse, scored[number]):
            h += 1
            if bracket in free:
                free.remove(bracket)
                m += 1
    precision = 0.0 if h == 0 else m / h
    recall = 0.0 if r == 0 else m / r
    if m == 0:
        return precision, recall, 0.0
    return precision, recall, 2 * precision * recall / (precision + recall)


# %% by_lines: Brackets from the line of a tree, with sentences numbered in one counter.
def brackets(tree, scored):
    def tokens(part):
        if isinstance(part, int):
            yield 1
            return
        yield 2 * part[0]
        for inner in part[1:]:
            yield from tokens(inner)
        yield 2 * part[0] + 1

    found, opened, place, counted = [], [], 0, 0
    for token in tokens(tree):
        if token == 1:
            counted += scored[place]
            place += 1
        elif token % 2 == 0:
            opened.append(counted)
        else:
            found.append((token // 2, opened.pop(), counted))
    return [bracket for bracket in found if bracket[0] > 1 and bracket[1] < bracket[2]]


def f1(lines, trees, scored):
    ours, theirs = Counter(), Counter()
    for number, (line, tree, counts) in enumerate(zip(lines, trees, scored)):
        parse = read_line(line, len(counts))
        if parse is not None:
            ours.update((number, bracket) for bracket in brackets(parse, counts))
        theirs.update((number, bracket) for bracket in brackets(tree, counts))
    m = sum(min(count, theirs[bracket]) for bracket, count in ours.items())
    h, r = sum(ours.values()), sum(theirs.values())
    return tuple(m / total if total else 0.0 for total in (h, r, (h + r) / 2))


# %% pruned: Punctuation is cut out of the tree first.
def brackets(tree, scored):
    numbers = {}
    for place, one in enumerate(scored):
        if one:
            numbers[place] = len(numbers)

    def pruned(part):
        if isinstance(part, int):
            return numbers.get(part)
        parts = [new for inner in part[1:] if (new := pruned(inner)) is not None]
        return (part[0], *parts) if parts else None

    def leaves(part):
        return [part] if isinstance(part, int) else sum((leaves(inner) for inner in part[1:]), [])

    def every(part):
        if part is None or isinstance(part, int):
            return []
        words = leaves(part)
        own = [] if part[0] == 1 else [(part[0], words[0], words[-1] + 1)]
        return sum((every(inner) for inner in part[1:]), own)

    return every(pruned(tree))


def f1(lines, trees, scored):
    def share(part, whole):
        return part / whole if whole > 0 else 0.0

    rows = []
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = sorted(brackets(parse, counts)) if parse else []
        theirs = sorted(brackets(tree, counts))
        rest = Counter(ours)
        rest.subtract(theirs)
        rows.append((len(ours) - sum(n for n in rest.values() if n > 0), len(ours), len(theirs)))
    m, h, r = (sum(column) for column in zip(*rows))
    return share(m, h), share(m, r), share(2 * m, h + r)
