"""Question 18.2: A tree as a line, and back."""

from autograder.authoring import Part, Question, sizes

from ..inputs import line_of, no_trees, phrase, tree_of

AXES = {"n_words": (1, 7), "labels": (1, 5)}
FAR = {"n_words": 110, "labels": 130}


def small_and_large(rng):
    """Trees, and how often another bracket is put around each; at last one of many labels, and one alone."""
    for n_words, labels in sizes(rng, **AXES, far=FAR):
        yield phrase(rng, 0, n_words, labels), []
    for n_words in (1, 5):
        around = [int(label) for label in rng.integers(1, 5, int(rng.integers(36, 44)))]
        yield phrase(rng, 0, n_words, 4), around
    label = int(rng.integers(1, 9))
    yield (label, 0), []
    yield (label, *range(4)), []
    yield (label, (label, (label, 0, 1)), 2, (label, 3)), []
    yield (int(rng.integers(128, 140)), (label, 0), (int(rng.integers(128, 140)), 1)), []


def trees(rng):
    for tree, around in small_and_large(rng):
        yield {"tree": tree, "around": around}


def lines(rng):
    for tree, around in small_and_large(rng):
        for label in around:
            tree = (label, tree)
        line = line_of(tree)
        yield {"line": line, "n_words": line.count(1)}


def some_lines(rng, n):
    """Lines that are trees; the first has words in two brackets."""
    a, b = (int(label) for label in rng.permutation([1, 2, 3])[:2])
    yield {"line": [2 * a, 2 * b, 1, 1, 2 * b + 1, 1, 2 * a + 1], "n_words": 3}
    for _ in range(n - 1):
        line = line_of(phrase(rng, 0, int(rng.integers(2, 7)), 3))
        yield {"line": line, "n_words": line.count(1)}


def wrong_lines(rng):
    """Trees, and lines with a fault in their brackets, which have as many words as they should."""
    yield from some_lines(rng, 3)
    for line in no_trees(rng):
        yield {"line": line, "n_words": max(1, line.count(1))}


def other_sentences(rng):
    """Trees of their sentence, and of sentences that are shorter or longer."""
    yield from some_lines(rng, 2)
    for case in some_lines(rng, 3):
        n_words = case["n_words"]
        yield {**case, "n_words": n_words + 1}
        yield {**case, "n_words": n_words - 1}
        yield {**case, "n_words": 2 * n_words + 3}
        yield {**case, "n_words": 1}


def call_linearize(student, inputs):
    tree = inputs["tree"]
    for label in inputs["around"]:
        tree = (label, tree)
    return {"line": list(student.linearize(tree))}


def call_read(student, inputs):
    """The tree as rows in the order of reading: a label and its number of parts, or -1 and a word."""
    line = list(inputs["line"])
    tree = student.read_line(line, inputs["n_words"])
    rows = []

    def walk(part):
        if isinstance(part, tuple | list) and part:
            rows.append([part[0], len(part) - 1])
            for under in part[1:]:
                walk(under)
        else:
            rows.append([-1, -1 if isinstance(part, tuple | list) else part])

    if tree is not None:
        walk(tree)
    found = {
        "labels and numbers of parts, -1 and words": rows,
        "the line is as it was": line == inputs["line"],
    }
    return {**found, "is a tree": tree is not None}


QUESTION = Question(
    id="18.2",
    title="A tree as a line, and back",
    kind="implement",
    difficulty=3,
    minutes=30,
    reference={"linearize": line_of, "read_line": tree_of},
    clauses={
        "Let the token `0` be": "it says what the numbers stand for",
        "(1, (2, 0, 1), (3, 2))": "such a tree is among the cases",
        "`read_line` gives `None`": "two parts have lines that are no trees",
        "no bracket is empty": ("brackets", "empty_allowed"),
        "or None if it is no tree": "two parts have lines that are no trees",
        "whose words are 0, 1, 2": "it says what the numbers stand for",
        "list of ints, each 0 or larger": ("brackets", "end_skipped"),
        "a whole number, 1 or larger": "every case has such a number",
        "nested tuples, or None": "two parts have lines that are no trees",
    },
    parts=[
        Part(
            "line",
            2,
            "a tree becomes its line",
            call_linearize,
            inputs=trees,
            hints=(
                "What is the line of (1, 0), and what that of (1, (2, 0))?",
                "A part is a word or a tree. What does your code write for each, and does it say which "
                "bracket closes?",
                "The line of a tree is its opening token, then the lines of its parts one after the other, "
                "then its closing token.",
            ),
        ),
        Part(
            "back",
            2,
            "the line of a tree becomes the tree",
            call_read,
            inputs=lines,
            hints=(
                "Read the example's line token by token, and write down which brackets are open after each.",
                "Keep a list of the brackets that are open, each with its label and the parts that it has so "
                "far. What happens to this list when one closes?",
                "A bracket that closes is a part of the one around it. Words are counted through the whole "
                "line.",
            ),
        ),
        Part(
            "brackets",
            3,
            "trees are read, and lines with a fault in their brackets are None",
            call_read,
            inputs=wrong_lines,
            hints=(
                "Go through the four rules of the text. For each there is a short line that breaks this rule "
                "alone: what does your code give for it?",
                "What may stand in a line at a place where no bracket is open: at its start, and after the "
                "tree is complete?",
                "What is left open when the line ends, and what is in the bracket that closes?",
            ),
        ),
        Part(
            "words",
            1,
            "trees of other sentences are None",
            call_read,
            inputs=other_sentences,
            hints=(
                "How many words has the line, and how many the sentence?",
                "A line with too few words is no tree of the sentence, and neither is one with too many.",
            ),
        ),
    ],
)
