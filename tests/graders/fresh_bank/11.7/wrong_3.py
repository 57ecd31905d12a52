# question 11.7
# wrong: pairs of equal tokens are counted without overlap: four in a row are two pairs
# differs: "aaaa bc bc bc": (97, 97) is counted twice instead of three times
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
            last, i = None, 0
            while i + 1 < len(word):
                pair = word[i], word[i + 1]
                if pair == last and word[i] == word[i + 1]:
                    last = None
                else:
                    counts[pair] = counts.get(pair, 0) + 1
                    last = pair
                i += 1
        if not counts:
            break
        best = max(counts, key=counts.get)  # the first one of equals
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
