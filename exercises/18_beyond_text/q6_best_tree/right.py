"""Right answers to question 18.6."""


# %% from_the_top: Recursion with a memory, from the whole sentence down.
def best_tree(words, binary, lexical, top):
    memory = {}

    def best(a, i, k):
        if k == i + 1:
            p = lexical.get((a, words[i]), 0)
            return (math.log(p), (a, i)) if p else (-math.inf, None)
        if (a, i, k) not in memory:
            memory[a, i, k] = (-math.inf, None)
            for (above, b, c), p in binary.items():
                if above != a:
                    continue
                for j in range(i + 1, k):
                    left = best(b, i, j)
                    if left[1] is None:
                        continue
                    right = best(c, j, k)
                    total = math.log(p) + left[0] + right[0]
                    if total > memory[a, i, k][0]:
                        memory[a, i, k] = (total, (a, left[1], right[1]))
        return memory[a, i, k]

    return best(top, 0, len(words))


def log_prob(words, binary, lexical, top):
    memory = {}

    def inside(a, i, k):
        if k == i + 1:
            p = lexical.get((a, words[i]), 0)
            return math.log(p) if p else -math.inf
        if (a, i, k) not in memory:
            totals = []
            for (above, b, c), p in binary.items():
                if above == a:
                    for j in range(i + 1, k):
                        left = inside(b, i, j)
                        if left > -math.inf:
                            totals.append(math.log(p) + left + inside(c, j, k))
            memory[a, i, k] = torch.tensor([-math.inf, *totals], dtype=torch.float64).logsumexp(0).item()
        return memory[a, i, k]

    return inside(top, 0, len(words))


# %% back_pointers: Scores and back pointers in tables of their own; a scale for each word keeps the sum a product.
def best_tree(words, binary, lexical, top):
    n = len(words)
    scores = [[{} for _ in range(n + 1)] for _ in range(n)]
    back = {}
    for i in range(n - 1, -1, -1):
        scores[i][i + 1] = {a: math.log(p) for (a, word), p in lexical.items() if word == words[i]}
        for k in range(i + 2, n + 1):
            cell = scores[i][k]
            for j in range(i + 1, k):
                left, right = scores[i][j], scores[j][k]
                for (a, b, c), p in binary.items():
                    if b in left and c in right:
                        total = left[b] + right[c] + math.log(p)
                        if a not in cell or cell[a] < total:
                            cell[a] = total
                            back[a, i, k] = (b, c, j)

    def tree(a, i, k):
        if k == i + 1:
            return (a, i)
        b, c, j = back[a, i, k]
        return (a, tree(b, i, j), tree(c, j, k))

    if top not in scores[0][n]:
        return -math.inf, None
    return scores[0][n][top], tree(top, 0, n)


def log_prob(words, binary, lexical, top):
    n = len(words)
    chart = {}
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                chart[i, i + 1, a] = (p, 0)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            k = i + length
            for (a, b, c), p in binary.items():
                for j in range(i + 1, k):
                    if (i, j, b) not in chart or (j, k, c) not in chart:
                        continue
                    (x, power), (y, other) = chart[i, j, b], chart[j, k, c]
                    (x, more), (y, other_more) = math.frexp(x), math.frexp(y)
                    (p_x, p_more) = math.frexp(p)
                    new, exponent = x * y * p_x, power + other + more + other_more + p_more
                    old, at = chart.get((i, k, a), (0.0, exponent))
                    most = max(exponent, at)
                    both = math.ldexp(new, exponent - most) + math.ldexp(old, at - most)
                    chart[i, k, a] = (both, most)
    if (0, n, top) not in chart:
        return -math.inf
    value, exponent = chart[0, n, top]
    return math.log(value) + exponent * math.log(2)


# %% semiring: One chart for both, with what is added and what is chosen given.
def fill(words, binary, lexical, top, leaf, merge, choose):
    n = len(words)
    cells = {}
    for i in range(n):
        for (a, word), p in lexical.items():
            if word == words[i]:
                cells.setdefault((i, i + 1), {})[a] = leaf(math.log(p), a, i)
    for length in range(2, n + 1):
        for i in range(n + 1 - length):
            found = {}
            for j in range(i + 1, i + length):
                left = cells.get((i, j), {})
                right = cells.get((j, i + length), {})
                for rule in binary:
                    if rule[1] in left and rule[2] in right:
                        one = merge(math.log(binary[rule]), rule[0], left[rule[1]], right[rule[2]])
                        found.setdefault(rule[0], []).append(one)
            cells[i, i + length] = {a: choose(every) for a, every in found.items()}
    return cells.get((0, n), {}).get(top)


def best_tree(words, binary, lexical, top):
    found = fill(
        words,
        binary,
        lexical,
        top,
        lambda p, a, i: (p, (a, i)),
        lambda p, a, left, right: (p + left[0] + right[0], (a, left[1], right[1])),
        lambda every: max(every, key=lambda pair: pair[0]),
    )
    return found or (-math.inf, None)


def log_prob(words, binary, lexical, top):
    def added(every):
        most = max(every)
        return most + math.log(sum(math.exp(one - most) for one in every))

    found = fill(words, binary, lexical, top, lambda p, *_: p, lambda p, a, x, y: p + x + y, added)
    return -math.inf if found is None else found
