# question 11.7
# wrong: encode joins the longest known token first (greedy from the left), not merge by merge
# differs: merges (98, 99), (97, 98), (257, 99) and the text "abcd": 32, 258, 100 instead of 32, 97, 256, 100
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
        best = max(counts, key=counts.get)  # the first one of equals
        words = [join(word, best, 256 + len(merges)) for word in words]
        merges.append(best)
    return merges


def encode(text, merges):
    tokens = []
    for word in words_of(text):
        known = {(byte,): byte for byte in range(256)}
        spelled = {byte: (byte,) for byte in range(256)}
        for number, (left, right) in enumerate(merges):
            spelled[256 + number] = spelled[left] + spelled[right]
            known.setdefault(spelled[256 + number], 256 + number)
        i = 0
        while i < len(word):
            size = max(n for n in range(1, len(word) - i + 1) if tuple(word[i : i + n]) in known)
            tokens.append(known[tuple(word[i : i + size])])
            i += size
    return tokens
