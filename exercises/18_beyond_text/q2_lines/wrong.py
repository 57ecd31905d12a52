"""Named mistakes in question 18.2."""


# %% no_closing: a line in which brackets open and never close
# loses: line
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return line


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% one_closing: closing tokens that are all the same, whatever was opened
# loses: line
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 3]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% words_as_places: a line in which words stand as their places in the sentence
# loses: line
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [part] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% label_as_token: labels that stand for their own tokens
# loses: line
def linearize(tree):
    label, *parts = tree
    line = [label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% odd_opens: opening and closing tokens exchanged
# loses: line
def linearize(tree):
    label, *parts = tree
    line = [2 * label + 1]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% first_word_only: one token for all of a phrase's words together
# loses: line
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    if any(isinstance(part, int) for part in parts):
        line.append(1)
    for part in parts:
        line += [] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% words_restart: words that are counted in each bracket anew
# loses: back, brackets, words
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(sum(isinstance(part, int) for part in inner[1:]))
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% words_from_one: words that are counted from one
# loses: back, brackets, words
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            n_read += 1
            inner.append(n_read)
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% any_closing: brackets that any closing token closes
# loses: brackets
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token > 1 and len(opened) > 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% empty_allowed: brackets that close with nothing in them
# loses: brackets
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(opened) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% left_open: the first tree of a line whose last brackets are closed by its end
# loses: brackets
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    while len(opened) > 1 and len(opened[-1]) > 1:
        inner = opened.pop()
        opened[-1].append(tuple(inner))
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% rest_ignored: a tree after which the line is not read any further
# loses: brackets
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            break
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or line.count(1) != n_words:
        return None
    return opened[0][0]


# %% end_skipped: a reader that skips the token 0
# loses: brackets
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0] and token:
            return None  # the tree is complete
        inner = opened[-1]
        if token == 0:
            continue
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read != n_words:
        return None
    return opened[0][0]


# %% several_trees: the first of several trees
# loses: brackets
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or not isinstance(opened[0][0], tuple) or n_read != n_words:
        return None
    return opened[0][0]


# %% words_uncounted: a tree of any sentence, however many words it has
# loses: words
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0]:
        return None
    return opened[0][0]


# %% too_many_only: a reader that accepts trees of too few words
# loses: words
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read > n_words:
        return None
    return opened[0][0]


# %% too_few_only: a reader that accepts trees of too many words
# loses: words
def linearize(tree):
    label, *parts = tree
    line = [2 * label]
    for part in parts:
        line += [1] if isinstance(part, int) else linearize(part)
    return [*line, 2 * label + 1]


def read_line(line, n_words):
    opened, n_read = [[]], 0  # the outermost list gets the tree
    for token in line:
        if len(opened) == 1 and opened[0]:
            return None  # the tree is complete
        inner = opened[-1]
        if token > 1 and token % 2 == 0:
            opened.append([token // 2])
        elif token == 1 and len(opened) > 1:
            inner.append(n_read)
            n_read += 1
        elif len(inner) > 1 and token == 2 * inner[0] + 1:
            opened.pop()
            opened[-1].append(tuple(inner))
        else:
            return None
    if len(opened) > 1 or not opened[0] or n_read < n_words:
        return None
    return opened[0][0]
