"""Trees over a few words, their lines, and lines that are no trees, for several questions."""

from itertools import pairwise


def phrase(rng, start, end, labels, depth=4):
    """A tree over the words from start to before end, with chains of phrases over the same words."""
    label = int(rng.integers(1, labels + 1))
    if depth == 0:
        return (label, *range(start, end))
    n_cuts = int(rng.integers(0, min(end - start, 4)))
    cuts = rng.choice(range(start + 1, end), n_cuts, replace=False) if n_cuts else ()
    ends = [start, *sorted(int(cut) for cut in cuts), end]
    parts = []
    for here, there in pairwise(ends):
        if there - here == 1 and rng.random() < 0.6:
            parts.append(here)
        elif n_cuts == 0 and rng.random() < 0.6:
            parts += range(here, there)
        else:
            parts.append(phrase(rng, here, there, labels, depth - 1))
    return (label, *parts)


def line_of(tree):
    """The line of a tree."""
    if not isinstance(tree, tuple):
        return [1]
    inside = [token for part in tree[1:] for token in line_of(part)]
    return [2 * tree[0], *inside, 2 * tree[0] + 1]


def tree_of(line, n_words):
    """The tree of a line, by descent into its brackets; None if it is no tree of so many words."""
    read = 0

    def descend(place):
        """The bracket that opens here and the place behind it."""
        nonlocal read
        label, place, parts = line[place] // 2, place + 1, []
        while place < len(line) and line[place] != 2 * label + 1:
            if line[place] == 1:
                parts.append(read)
                read, place = read + 1, place + 1
            elif line[place] > 1 and line[place] % 2 == 0:
                part, place = descend(place)
                parts.append(part)
            else:
                raise ValueError("not the bracket that was opened last")
        if place == len(line) or not parts:
            raise ValueError("left open, or empty")
        return (label, *parts), place + 1

    if not line or line[0] < 2 or line[0] % 2:
        return None
    try:
        tree, place = descend(0)
    except ValueError:
        return None
    return tree if place == len(line) and read == n_words else None


def no_trees(rng, labels=3):
    """Lines that are no trees, each with another fault in its brackets, and each with its words."""
    a, b = (int(label) for label in rng.permutation(range(1, labels + 1))[:2])
    line = line_of(phrase(rng, 0, int(rng.integers(2, 6)), labels))
    place = int(rng.integers(1, len(line)))
    last = line[-1]
    yield [*line[:-1], last + 2 if last < 2 * labels else last - 2]  # another label at the end
    yield [2 * a, 1, 2 * b, 1, 2 * a + 1, 1, 2 * b + 1]  # crossing
    yield [2 * a, 2 * b, 1, 2 * a + 1, 2 * a + 1]  # another label within
    yield line[:-1]
    yield [*line, last]
    yield line + line
    yield [*line, 1]
    yield [1, *line]
    yield [2 * a, *line]
    yield [last, *line]
    yield [*line[:place], 2 * b, 2 * b + 1, *line[place:]]  # an empty bracket
    yield [2 * a, 2 * b, 2 * b + 1, 2 * a + 1, *line]
    yield [*line[:place], 0, *line[place:]]
    yield [*line, 0]
    yield [0, *line]
    yield [1]
    yield [1, 1, 1]
    yield []
    yield [2 * a]
    yield [2 * a + 1]
    yield [2 * a, 2 * a + 1]
    yield [2 * a + 1, 1, 2 * a]
    yield [2 * a, 1, 2 * a]
    yield [2 * a, 1, 2 * a + 1, 2 * b]
    yield [2 * a, 1]
