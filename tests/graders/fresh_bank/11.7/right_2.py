# question 11.7
from collections import Counter


def _join(word, left, right, new):
    word, out = list(word), []
    for token in word:
        if out and out[-1] == left and token == right:
            out[-1] = new
        else:
            out.append(token)
    return tuple(out)


def learn_merges(text, n_merges):
    # each different word once, in the order of the text, with its count
    words = Counter(tuple((" " + word).encode()) for word in text.split())
    merges = []
    for new in range(256, 256 + n_merges):
        counts = Counter()
        for word, times in words.items():
            for i in range(len(word) - 1):
                counts[word[i], word[i + 1]] += times
        if len(counts) == 0:
            return merges
        most = max(counts.values())
        pair = next(p for p, count in counts.items() if count == most)
        merges.append(pair)
        joined = Counter()
        for word, times in words.items():
            joined[_join(word, *pair, new)] += times
        words = joined
    return merges


def encode(text, merges):
    cache, result = {}, []
    for word in text.split():
        if word not in cache:
            tokens = tuple((" " + word).encode())
            for i, (left, right) in enumerate(merges):
                tokens = _join(tokens, left, right, 256 + i)
            cache[word] = tokens
        result += cache[word]
    return result
