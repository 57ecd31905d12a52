"""Right answers to question 11.7."""


# %% words: The chapter's way: each different word once, with its count.
from collections import Counter


def join(word, pair, new):
    joined, last = [], None
    for token in word:
        if (last, token) == pair:
            joined[-1], last = new, None
        else:
            joined.append(token)
            last = token
    return joined


def learn_merges(text, n_merges):
    count = Counter(text.split())
    cut = {word: list(f" {word}".encode()) for word in count}
    merges = []
    while len(merges) < n_merges:
        pairs = Counter()
        for word, n in count.items():
            for pair in zip(cut[word], cut[word][1:]):
                pairs[pair] += n
        if not pairs:
            return merges
        merges.append(pairs.most_common(1)[0][0])
        cut = {word: join(tokens, merges[-1], 255 + len(merges)) for word, tokens in cut.items()}
    return merges


def encode(text, merges):
    known = {}
    for word in set(text.split()):
        known[word] = list(f" {word}".encode())
        for i in range(len(merges)):
            known[word] = join(known[word], merges[i], 256 + i)
    return [token for word in text.split() for token in known[word]]


# %% ranks: One row of all words with -1 between them, and at each step of encode the earliest merge there is.
def replaced(row, pair, new):
    row = list(row)
    for i in range(len(row) - 1):
        if row[i : i + 2] == list(pair):
            row[i : i + 2] = [new]
    return row


def learn_merges(text, n_merges):
    row = []
    for word in text.split():
        row += [*(" " + word).encode(), -1]
    merges = []
    for step in range(n_merges):
        pairs = [pair for pair in zip(row, row[1:]) if -1 not in pair]
        if pairs:
            merges.append(max(pairs, key=pairs.count))
            row = replaced(row, merges[-1], 256 + step)
    return merges


def encode(text, merges):
    rank = {pair: i for i, pair in enumerate(merges)}
    tokens = []
    for word in text.split():
        row = list((" " + word).encode())
        for _ in rank:
            found = [pair for pair in zip(row, row[1:]) if pair in rank]
            if not found:
                break
            first = min(found, key=rank.get)
            row = replaced(row, first, 256 + rank[first])
        tokens.extend(row)
    return tokens


# %% strings: Tokens as single characters of a string, with str.replace and str.count.
def _merged(words, pair, new):
    return [word.replace("".join(map(chr, pair)), chr(new)) for word in words]


def _bytes(text):
    return ["".join(map(chr, (" " + word).encode())) for word in text.split()]


def learn_merges(text, n_merges):
    words, merges = _bytes(text), []
    for new in range(256, 256 + n_merges):
        counts = np.zeros((new, new), dtype=int)
        first = {}
        for word in words:
            for a, b in zip(word, word[1:]):
                counts[ord(a), ord(b)] += 1
                first.setdefault((ord(a), ord(b)), len(first))
        if not first:
            break
        best = min(first, key=lambda pair: (-counts[pair], first[pair]))
        merges.append(best)
        words = _merged(words, best, new)
    return merges


def encode(text, merges):
    words = _bytes(text)
    for new, pair in enumerate(merges, 256):
        words = _merged(words, pair, new)
    return [ord(token) for word in words for token in word]
