# question 11.7
# wrong: ties go to the pair that stands last in the text
# differs: "ab", 1 merge: (97, 98) instead of (32, 97)
def words_of(text):
    return [list((" " + word).encode()) for word in text.split()]


def join(word, pair, new):
    joined, i = [], 0
    while i < len(word):
        if i + 1 < len(word) and (word[i], word[i + 1]) == pair:
            joined.append(new)
            i += 2
        else:
            joined.append(word[i])
            i += 1
    return joined


def learn_merges(text, n_merges):
    words, merges = words_of(text), []
    while len(merges) < n_merges:
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        most = max(counts.values())
        best = [pair for pair in counts if counts[pair] == most][-1]
        words = [join(word, best, 256 + len(merges)) for word in words]
        merges.append(best)
    return merges


def encode(text, merges):
    tokens = []
    for word in words_of(text):
        for number, pair in enumerate(merges):
            word = join(word, tuple(pair), 256 + number)
        tokens.extend(word)
    return tokens
