"""Named mistakes in question 18.6."""


# %% first_split: only the first split of each span
# loses: short, no tree, long, sum
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, min(i + 2, i + length)):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% last_split: only the last split of each span
# loses: short, no tree, long, sum
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + length - 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% last_kept: the last tree that is found for a span, in place of the best
# loses: short, long
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% first_kept: the first tree that is found for a span, in place of the best
# loses: short, long
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if (i, k, a) not in best:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% worst: the least probable tree
# loses: short, long
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total < best.get((i, k, a), (math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% rules_alone: trees that are compared by the rule on top alone
# loses: short, long
def best_tree(words, binary, lexical, top):
    best, known, n = {}, {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if math.log(p) > known.get((i, k, a), -math.inf):
                    known[i, k, a] = math.log(p)
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% no_rules: trees whose rules of two symbols count nothing
# loses: short, no tree, long
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% no_words: trees whose words count nothing
# loses: short, no tree, long
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = 0.0, (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% from_one: places of words that are counted from one
# loses: short, no tree, long
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i + 1)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% words_in_tree: trees that hold the words themselves in place of their places
# loses: short, no tree, long
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, word)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% halves_exchanged: trees whose two halves are exchanged
# loses: short, no tree, long
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, right[1], left[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% rules_reversed: rules whose two symbols are read in the other order
# loses: short, no tree, long, sum
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, c)), best.get((j, k, b))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, c) in total and (j, k, b) in total:
                one = math.log(p) + total[i, j, c] + total[j, k, b]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% base_two: logarithms to the base two
# loses: short, no tree, long, sum
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log2(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log2(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log2(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log2(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log2(
                    1 + 2 ** (min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% any_top: the best tree with any symbol on top
# loses: no tree
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    found = [one for (i, k, _), one in best.items() if (i, k) == (0, n)]
    return best.get((0, n, top), max(found, default=(-math.inf, None)))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% zero_for_none: a probability of one for sentences that have no tree
# loses: no tree
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (0.0, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% products: products of probabilities, of which a logarithm is taken at the end
# loses: long
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = p, (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = p * left[0] * right[0]
                if total > best.get((i, k, a), (-1.0,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    p, tree = best.get((0, n, top), (0.0, None))
    return math.log(p) if p else -math.inf, tree


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                both = [total.get((i, k, a), -math.inf), one]
                total[i, k, a] = max(both) + math.log1p(
                    math.exp(min(both) - max(both))
                )
    return total.get((0, n, top), -math.inf)


# %% sum_of_products: a sum of products, of which a logarithm is taken at the end
# loses: sum
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = p
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = p * total[i, j, b] * total[j, k, c]
                total[i, k, a] = total.get((i, k, a), 0.0) + one
    p = total.get((0, n, top), 0.0)
    return math.log(p) if p else -math.inf


# %% maximum: the probability of the best tree in place of the sum
# loses: sum
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                total[i, k, a] = max(total.get((i, k, a), -math.inf), one)
    return total.get((0, n, top), -math.inf)


# %% logarithms_added: logarithms that are added, as if trees were multiplied
# loses: sum
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                total[i, k, a] = total.get((i, k, a), 0.0) + one
    return total.get((0, n, top), -math.inf)


# %% largest_split: a sum over the rules, and the maximum over the splits
# loses: sum
def best_tree(words, binary, lexical, top):
    best, n = {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                best[i, i + 1, a] = math.log(p), (a, i)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            left, right = best.get((i, j, b)), best.get((j, k, c))
            if left and right:
                total = math.log(p) + left[0] + right[0]
                if total > best.get((i, k, a), (-math.inf,))[0]:
                    best[i, k, a] = total, (a, left[1], right[1])
    return best.get((0, n, top), (-math.inf, None))


def spans(n):
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            for j in range(i + 1, i + length):
                yield i, j, i + length


def log_prob(words, binary, lexical, top):
    total, by_rule, n = {}, {}, len(words)
    for i, word in enumerate(words):
        for (a, read), p in lexical.items():
            if read == word:
                total[i, i + 1, a] = math.log(p)
    for i, j, k in spans(n):
        for (a, b, c), p in binary.items():
            if (i, j, b) in total and (j, k, c) in total:
                one = math.log(p) + total[i, j, b] + total[j, k, c]
                before = by_rule.get((i, k, a, b, c), -math.inf)
                by_rule[i, k, a, b, c] = max(before, one)
        if j == k - 1:
            cell = {}
            for (start, end, a, b, c), one in by_rule.items():
                if (start, end) == (i, k):
                    cell.setdefault(a, []).append(one)
            for a, ones in cell.items():
                most = max(ones)
                total[i, k, a] = most + math.log(sum(math.exp(one - most) for one in ones))
    return total.get((0, n, top), -math.inf)
