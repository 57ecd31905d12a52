"""Named mistakes in question 11.7."""


# %% across_words: pairs that reach from one word into the next
# loses: clear, any
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list("".join(" " + word for word in text.split()).encode())]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% apart_counted: pairs of equal tokens that are counted only where they do not overlap
# loses: any
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            before = None
            for i, pair in enumerate(zip(word, word[1:])):
                if pair[0] == pair[1] and before == (i - 1, pair):
                    before = None
                    continue
                before = (i, pair)
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% backward: merges applied from the last to the first
# loses: encode, runs
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in reversed(list(enumerate(merges, start=256))):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% blank_behind: a blank behind each word in place of the one before it
# loses: clear, any, encode, runs
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((word + " ").encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((word + " ").encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% blanks_kept: the text's bytes as they are, without a blank before the first word
# loses: encode, runs
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for pieces in [list(text.encode())]:
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% bytes_alone: bytes without any merge
# loses: encode, runs
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate([], start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% characters: numbers of characters in place of bytes
# loses: clear, any, encode
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [[ord(c) for c in " " + word] for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = [ord(c) for c in " " + word]
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% counted_once: the most frequent pairs of the text's bytes, without counting again after a merge
# loses: clear, any
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    counts = {}
    for word in words:
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    for _ in range(min(n_merges, len(counts))):
        merges.append(max(counts, key=counts.get))
        counts.pop(merges[-1])
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% each_word_once: each different word counted once, however often it occurs
# loses: clear, any
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in dict.fromkeys(text.split())]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% first_alone: a pair joined only where it first stands in a word
# loses: clear, any, encode, runs
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if new not in out and tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% from_the_right: a row of equal letters joined from the right
# loses: any, encode, runs
def joined(tokens, pair, new):
    out, i = [], len(tokens)
    while i > 0:
        if i > 1 and tuple(tokens[i - 2 : i]) == pair:
            out.insert(0, new)
            i -= 2
        else:
            out.insert(0, tokens[i - 1])
            i -= 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% joined_again: a token that is joined with both of its neighbors
# loses: any, encode, runs
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 1 if tuple(tokens[i + 1 : i + 3]) == pair else 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% largest_of_equals: the pair with the largest numbers where several are as frequent
# loses: any
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% last_of_equals: the pair that was met last where several are as frequent
# loses: any
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(reversed(counts), key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% learned_again: merges of the text that is encoded, in place of those that are given
# loses: encode, runs
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    merges = learn_merges(text, len(merges))
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% longest: the longest token that fits, from left to right
# loses: encode
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    spelled = {n: bytes([n]) for n in range(256)}
    for new, (left, right) in enumerate(merges, start=256):
        spelled[new] = spelled[left] + spelled[right]
    tokens = []
    for word in text.split():
        rest = (" " + word).encode()
        while rest:
            fits = [n for n in spelled if rest.startswith(spelled[n])]
            tokens.append(max(fits, key=lambda n: len(spelled[n])))
            rest = rest[len(spelled[tokens[-1]]) :]
    return tokens


# %% no_blank: words without the blank before them
# loses: clear, any, encode, runs
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list(word.encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list(word.encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% number_255: new tokens numbered from 255 on, the number of a byte
# loses: clear, any, encode, runs
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(255, 255 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=255):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% number_257: new tokens numbered from 257 on
# loses: clear, any, encode, runs
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(257, 257 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=257):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% once_not_joined: an end where the most frequent pair occurs only once
# loses: any
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if max(counts.values(), default=0) < 2:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% rarest: the rarest pair joined first
# loses: clear, any
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = min(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% smallest_of_equals: the pair with the smallest numbers where several are as frequent
# loses: any
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        tokens += pieces
    return tokens


# %% unknown_dropped: bytes that are in no merge left out
# loses: encode, runs
def joined(tokens, pair, new):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges.append(best)
        words = [joined(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = joined(pieces, pair, new)
        known = {token for pair in merges for token in pair}
        tokens += [token for token in pieces if token > 255 or token in known]
    return tokens


# %% capped: 256 merges at most
# loses: any
def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, min(512, 256 + n_merges)):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)  # the first of the most frequent
        merges.append(best)
        words = [join(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = join(pieces, pair, new)
        tokens += pieces
    return tokens


def join(tokens, pair, new):
    joined = []
    for token in tokens:
        if joined and (joined[-1], token) == pair:
            joined[-1] = new  # a new token is in no pair that it is made of
        else:
            joined.append(token)
    return joined


# %% early_merges: the first 256 merges alone, however many there are
# loses: encode
def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)  # the first of the most frequent
        merges.append(best)
        words = [join(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges[:256], start=256):
            pieces = join(pieces, pair, new)
        tokens += pieces
    return tokens


def join(tokens, pair, new):
    joined = []
    for token in tokens:
        if joined and (joined[-1], token) == pair:
            joined[-1] = new  # a new token is in no pair that it is made of
        else:
            joined.append(token)
    return joined


# %% filled_up: the last merge given again, up to the number that is asked for
# loses: any
def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)  # the first of the most frequent
        merges.append(best)
        words = [join(word, best, new) for word in words]
    return merges + merges[-1:] * (n_merges - len(merges))


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = join(pieces, pair, new)
        tokens += pieces
    return tokens


def join(tokens, pair, new):
    joined = []
    for token in tokens:
        if joined and (joined[-1], token) == pair:
            joined[-1] = new  # a new token is in no pair that it is made of
        else:
            joined.append(token)
    return joined


# %% emptied: the list of merges emptied after its use
# loses: encode, runs
def learn_merges(text, n_merges):
    words = [list((" " + word).encode()) for word in text.split()]
    merges = []
    for new in range(256, 256 + n_merges):
        counts = {}
        for word in words:
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=counts.get)  # the first of the most frequent
        merges.append(best)
        words = [join(word, best, new) for word in words]
    return merges


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for new, pair in enumerate(merges, start=256):
            pieces = join(pieces, pair, new)
        tokens += pieces
    merges.clear()
    return tokens


def join(tokens, pair, new):
    joined = []
    for token in tokens:
        if joined and (joined[-1], token) == pair:
            joined[-1] = new  # a new token is in no pair that it is made of
        else:
            joined.append(token)
    return joined
