"""Question 18.3: Score brackets."""

from autograder.authoring import Part, Question, sizes

from ..inputs import line_of, no_trees, phrase, tree_of

AXES = {"n_words": (1, 7), "labels": (1, 4)}
FAR = {"n_words": 110, "labels": 110}


def whole_sentences(rng):
    """No punctuation; at last chains of one label, the label 1 within, and nothing but it."""
    for n_words, labels in sizes(rng, **AXES, far=FAR):
        yield {"tree": phrase(rng, 0, n_words, labels), "scored": [True] * n_words}
    a, b = (int(label) for label in rng.permutation(range(2, 7))[:2])
    for tree in (
        (1, (a, (a, (a, 0, 1))), 2),
        (1, (a, (b, (a, 0), 1), (a, 2))),
        (a, 0, (1, (b, 1, 2))),
        (a, (1, (1, 0, 1)), 2),
        (1, 0, (1, 1, 2)),
    ):
        yield {"tree": tree, "scored": [True] * 3}


def marked(rng, n_words):
    return [bool(one) for one in rng.random(n_words) < 0.65]


def with_punctuation(rng):
    """Some words are punctuation; at last phrases that begin or end with some, or hold nothing else."""
    for n_words, labels in sizes(rng, **AXES, far=FAR):
        yield {"tree": phrase(rng, 0, n_words, labels), "scored": marked(rng, n_words)}
    a, b, c = (int(label) for label in rng.permutation(range(2, 7))[:3])
    tree = (1, (a, 0, (b, 1, 2), 3), (c, 4, (b, 5)))
    for no in ([0], [1], [2], [3], [5], [1, 2], [4, 5], [0, 1, 2, 3], [0, 3, 5], list(range(6))):
        yield {"tree": tree, "scored": [place not in no for place in range(6)]}
    yield {"tree": (1, (a, (a, 0, 1)), 2), "scored": [True, False, True]}
    yield {"tree": (a, (1, (b, 0, 1)), 2), "scored": [True, False, True]}


def disturbed(rng, tree, start, end, labels):
    """The tree with other phrases or labels in some places, over the same words."""
    if rng.random() < 0.25:
        return phrase(rng, start, end, labels, 2)
    label, parts, here = tree[0], [], start
    for part in tree[1:]:
        if isinstance(part, tuple):
            there = here + line_of(part).count(1)
            parts.append(disturbed(rng, part, here, there, labels))
            here = there
        else:
            parts.append(part)
            here += 1
    label = int(rng.integers(1, labels + 1)) if rng.random() < 0.15 else label
    return (label, *parts)


def sentences(rng, n, longest, labels):
    """References, and parses that have some of their brackets."""
    lengths = [int(length) for length in rng.integers(min(2, longest), longest + 1, n)]
    trees = [(1, phrase(rng, 0, length, labels)) for length in lengths]
    parses = [disturbed(rng, tree, 0, length, labels) for tree, length in zip(trees, lengths)]
    scored = [marked(rng, length) for length in lengths]
    return {"lines": [line_of(parse) for parse in parses], "trees": trees, "scored": scored}


def parsed(rng):
    """Lines that are trees; at last brackets that stand twice in one tree, or in both, and none at all."""
    for n, longest, labels in sizes(
        rng, n=(1, 5), longest=(1, 9), labels=(2, 4), far={"n": 104, "longest": 60}
    ):
        yield sentences(rng, n, longest, labels)
    a, b = (int(label) for label in rng.permutation(range(2, 7))[:2])
    once, twice, thrice = (1, (a, 0, 1), 2), (1, (a, (a, 0, 1)), 2), (1, (a, (a, (a, 0, 1))), (b, 2))
    other, bare = (1, 0, (b, 1, 2)), (1, 0, 1, 2)
    for parses, trees in (
        ([once], [twice]),
        ([twice], [once]),
        ([thrice, once], [twice, twice]),
        ([twice, other, bare], [twice, once, thrice]),
        ([once, other], [other, once]),  # the brackets of another sentence
        ([bare], [twice]),
        ([twice], [bare]),
        ([bare], [bare]),
        ([other], [twice]),
    ):
        scored = [[True] * 3 for _ in trees]
        yield {"lines": [line_of(parse) for parse in parses], "trees": trees, "scored": scored}


def failed(rng):
    """Among the lines some are no trees, or trees of shorter and longer sentences; at last all of them."""
    for n in (3, 4, 6):
        case = sentences(rng, n, 6, 3)
        chosen = [list(line) for line in no_trees(rng)]
        which = rng.permutation(len(chosen))[:2]
        places = rng.permutation(n)[:2]
        for place, one in zip(places, which):
            case["lines"][int(place)] = chosen[int(one)]
        yield case
        for more in (1, -1):
            case = sentences(rng, n, 6, 3)
            n_words = len(case["scored"][0]) + more
            case["lines"][0] = line_of((1, phrase(rng, 0, max(1, n_words), 3)))
            case["scored"][0] = [True] * len(case["scored"][0])
            yield case if n_words else sentences(rng, n, 6, 3)
    case = sentences(rng, 3, 6, 3)
    yield {**case, "lines": [line[:-1] for line in case["lines"]]}
    label = int(rng.integers(2, 7))
    twice, once = (1, (label, (label, 0, 1)), 2), (1, 0, (label, 1, 2))
    lines = [line_of(twice), line_of(once)[:-1]]
    yield {"lines": lines, "trees": [twice, once], "scored": [[True] * 3, [True] * 3]}
    other = (1, (label - 1 if label > 2 else 6, 0, 1), 2)  # the same words, another label
    lines = [line_of(other), line_of(once)[:-1]]
    yield {"lines": lines, "trees": [(1, (label, 0, 1), 2), once], "scored": [[True] * 3, [True] * 3]}


def call_brackets(student, inputs):
    found = student.brackets(inputs["tree"], list(inputs["scored"]))
    return {"brackets, sorted": sorted(list(bracket) for bracket in found)}


def call_f1(student, inputs):
    lines, scored = [list(line) for line in inputs["lines"]], [list(one) for one in inputs["scored"]]
    precision, recall, both = student.f1(lines, list(inputs["trees"]), scored)
    return {"P": precision, "R": recall, "F1": both}


def brackets(tree, scored):
    places = [sum(scored[:place]) for place in range(len(scored) + 1)]
    found, to_do = [], [tree]

    def words(part):
        return [part] if isinstance(part, int) else [word for inner in part[1:] for word in words(inner)]

    while to_do:
        part = to_do.pop()
        if isinstance(part, int):
            continue
        inside = words(part)
        bracket = (part[0], places[inside[0]], places[inside[-1] + 1])
        if part[0] != 1 and bracket[1] < bracket[2]:
            found.append(bracket)
        to_do += part[1:]
    return found


def f1(lines, trees, scored):
    matched, n_ours, n_theirs = 0, 0, 0
    for line, tree, counts in zip(lines, trees, scored):
        parse = tree_of(line, len(counts))
        ours = brackets(parse, counts) if parse else []
        free = brackets(tree, counts)
        n_ours, n_theirs = n_ours + len(ours), n_theirs + len(free)
        for bracket in ours:
            if bracket in free:
                free.remove(bracket)
                matched += 1
    pairs = ((matched, n_ours), (matched, n_theirs), (2 * matched, n_ours + n_theirs))
    return tuple(one / other if other else 0.0 for one, other in pairs)


QUESTION = Question(
    id="18.3",
    title="Score brackets",
    kind="implement",
    difficulty=3,
    minutes=30,
    needs=("18.2",),
    reference={"brackets": brackets, "f1": f1},
    clauses={
        "Parsers are compared by one number": "why it matters",
        "the bracket stands in the list twice": "the mistake that lists it once loses every part",
        "the label `1` stands on top": "the mistakes that score it lose several parts",
        "If one tree has a bracket twice": "the mistake that counts it once loses both last parts",
        "A line that is no tree": "it has a part of its own",
        "whose denominator is zero": "it is among the cases of `sentences`",
        "list of bools, one for each word": "it says what the list holds",
        "one for each sentence": "it says what the list holds",
        "one list for each sentence": "it says what the list holds",
        "a triple of floats, P, R": "it says what is returned",
    },
    parts=[
        Part(
            "phrases",
            2,
            "the brackets of trees without punctuation",
            call_brackets,
            inputs=whole_sentences,
            hints=(
                "Write down the brackets of (1, (2, 0, 1), (3, 2)), and then those of (1, (2, (2, 0, 1)), "
                "2).",
                "Is a bracket missing, is there one too many, or are its words others? The first that "
                "differs is told.",
                "Each phrase is scored whose label is not 1, also within another one with the same words, "
                "and below a label 1.",
            ),
        ),
        Part(
            "punctuation",
            2,
            "punctuation is taken out before words are counted",
            call_brackets,
            inputs=with_punctuation,
            hints=(
                "Cross out the punctuation, and number the words that are left from zero on. Between which "
                "of them does each phrase begin and end?",
                "The number of a word is how many words before it are scored.",
                "A phrase of which nothing is left has no words to cover.",
            ),
        ),
        Part(
            "sentences",
            3,
            "precision, recall and F1 of parses that are trees",
            call_f1,
            inputs=parsed,
            hints=(
                "Take one sentence: which brackets has the parse, which the reference, and which do both "
                "have? Which of the three numbers differs?",
                "A bracket that one tree has twice can be matched twice only if the other has it twice.",
                "Count m, h and r through all sentences, and divide once at the end. A bracket is matched "
                "only within its own sentence.",
            ),
        ),
        Part(
            "failures",
            1,
            "lines that are no trees count as parses without brackets",
            call_f1,
            inputs=failed,
            hints=(
                "What does your program do with a sentence whose line is no tree, and what with its "
                "reference?",
                "A line can be a tree and still be no tree of this sentence. What says how many words that "
                "has?",
                "It adds nothing to m and h; its reference adds to r as always.",
            ),
        ),
    ],
)
