"""Named mistakes in question 18.3."""


# %% once_each: brackets without the second of two equal ones
# loses: phrases, punctuation, sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return list(dict.fromkeys(found))


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% top_scored: brackets with the label on top of all trees among them
# loses: phrases, punctuation, sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% outermost_left_out: brackets without the outermost one, whatever its label
# loses: phrases, punctuation, sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part is not tree and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% below_top_left_out: brackets that end where the label 1 begins: nothing below it is scored
# loses: phrases, punctuation, sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        n_found = len(found)
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        if part[0] == 1 and part is not tree:
            del found[n_found:]
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% last_word: brackets that end at their last word, in place of behind it
# loses: phrases, punctuation
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end - 1))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% from_one: words that are counted from one
# loses: phrases, punctuation
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 1)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% lengths: brackets with the number of their words in place of their end
# loses: phrases, punctuation
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end - start))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% punctuation_counted: brackets whose words are counted with the punctuation
# loses: punctuation, sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + 1
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% empty_phrases: brackets of phrases that hold nothing but punctuation
# loses: punctuation, sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% tags_too: brackets of single words left out, as if they were tags
# loses: phrases, punctuation, sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start + 1:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% no_labels: brackets that match whatever their labels are
# loses: sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(b[1:] for b in (brackets(parse, counts) if parse else []))
        theirs = Counter(b[1:] for b in brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% sets: brackets that count once in each tree, though they stand there twice
# loses: sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(set(brackets(parse, counts) if parse else []))
        theirs = Counter(set(brackets(tree, counts)))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% exchanged: precision and recall exchanged
# loses: sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / r if r else 0.0, m / h if h else 0.0, 2 * m / max(h + r, 1)


# %% mean: the mean of precision and recall in place of F1
# loses: sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    p, q = m / h if h else 0.0, m / r if r else 0.0
    return p, q, (p + q) / 2


# %% root: the geometric mean of precision and recall in place of F1
# loses: sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    p, q = m / h if h else 0.0, m / r if r else 0.0
    return p, q, math.sqrt(p * q)


# %% by_sentence: means of the numbers of each sentence
# loses: sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    rows = []
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours = Counter(brackets(parse, counts) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m, h, r = (ours & theirs).total(), ours.total(), theirs.total()
        rows.append((m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)))
    return tuple(sum(column) / len(rows) for column in zip(*rows))


# %% all_together: brackets of one sentence that match those of another
# loses: sentences, failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    ours, theirs = Counter(), Counter()
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        ours += Counter(brackets(parse, counts) if parse else [])
        theirs += Counter(brackets(tree, counts))
    m, h, r = (ours & theirs).total(), ours.total(), theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% failures_skipped: scores over the sentences whose lines are trees
# loses: failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, len(counts))
        if parse is None:
            continue
        ours = Counter(brackets(parse, counts))
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)


# %% of_any_length: lines that are trees of a sentence of any length, scored by their brackets
# loses: failures
def brackets(tree, scored):
    found = []

    def end_of(part, start):
        if isinstance(part, int):
            return start + scored[part]
        end = start
        for inner in part[1:]:
            end = end_of(inner, end)
        if part[0] != 1 and end > start:
            found.append((part[0], start, end))
        return end

    end_of(tree, 0)
    return found


def f1(lines, trees, scored):
    m = h = r = 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = read_line(line, line.count(1))
        ours = Counter(brackets(parse, [*counts, True]) if parse else [])
        theirs = Counter(brackets(tree, counts))
        m += (ours & theirs).total()
        h += ours.total()
        r += theirs.total()
    return m / h if h else 0.0, m / r if r else 0.0, 2 * m / max(h + r, 1)
