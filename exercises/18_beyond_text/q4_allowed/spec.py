"""Question 18.4: What may come next."""

import torch
from autograder.authoring import Part, Question, normal, sizes

AXES = {"labels": (1, 5), "words": (1, 6)}


def options(prefix, labels, words, longest):
    """The tokens that can follow, as a set."""
    open_labels = []
    for token in prefix:
        if token > 1 and token % 2 == 0:
            open_labels.append(token // 2)
        elif token > 1:
            open_labels.pop()
    if prefix and not open_labels:
        return {0}
    left = words - sum(token == 1 for token in prefix)
    found = {1} if left > 0 and prefix else set()
    to_come = left + len(open_labels) + 1  # the least that makes a tree of it
    if left > 0 and len(prefix) + 2 + to_come <= longest:
        found |= {2 * label for label in range(1, labels + 1)}
    just_opened = bool(prefix) and prefix[-1] > 1 and prefix[-1] % 2 == 0
    if open_labels and not just_opened and (left == 0 or len(open_labels) > 1):
        found.add(2 * open_labels[-1] + 1)
    return found


def a_line(rng, labels, words, longest, opens=0.35, closes=0.3):
    """A line within the rules, drawn token by token; the end is left out."""
    line = []
    while True:
        can = sorted(options(line, labels, words, longest))
        if can == [0]:
            return line
        weights = [
            closes if token % 2 and token > 1 else 0.3 if token == 1 else opens / labels for token in can
        ]
        line.append(int(rng.choice(can, p=[weight / sum(weights) for weight in weights])))


def state(line, length):
    """How many brackets are open and how many words are read after so many tokens."""
    steps = [0 if token == 1 else 1 if token % 2 == 0 else -1 for token in line[:length]]
    return sum(steps), line[:length].count(1)


def with_lengths(case, wanted):
    """The case, with the lengths of those beginnings of its line that are asked for."""
    line, words = case["line"], case["words"]
    found = [n for n in range(len(line) + 1) if wanted(*state(line, n), n, words)]
    return {**case, "lengths": found}


def lines(rng, longest=200, **how):
    for labels, words in sizes(rng, **AXES, far={"labels": 130, "words": 104}):
        room = longest + 12 * words
        line = a_line(rng, labels, words, room, **how)
        yield {"line": line, "labels": labels, "words": words, "longest": room}


def within(rng):
    """Two brackets or more are open, a word at least is left, and there is room."""

    def wanted(depth, read, length, words):
        return depth > 1 and read < words

    for case in lines(rng, opens=0.6):
        case = with_lengths(case, wanted)
        if case["lengths"]:
            yield case
    a, b = (int(label) for label in rng.permutation([1, 2, 3])[:2])
    line = [2 * a, 2 * b, 2 * b, 1, 2 * b + 1, 1, 2 * b + 1, 2 * a, 1, 1, 2 * a + 1, 1, 2 * a + 1]
    for words in (5, 7):
        yield with_lengths({"line": line, "labels": 3, "words": words, "longest": 90}, wanted)
    many = int(rng.integers(130, 140))
    line = [2 * many, 2 * (many - 1), 1, 2 * (many - 2), 1]
    case = {"line": line, "labels": many, "words": 3, "longest": 90}
    yield with_lengths(case, wanted)


def at_the_ends(rng):
    """At the start; one bracket is open; no word is left; the tree is complete."""

    def wanted(depth, read, length, words):
        return depth < 2 or read == words

    for case in lines(rng):
        yield with_lengths(case, wanted)
    for labels, words in ((1, 1), (2, 3), (3, 2)):
        line = [2 * labels, *[1] * words, 2 * labels + 1]
        yield with_lengths({"line": line, "labels": labels, "words": words, "longest": 60}, wanted)
    a, b = (int(label) for label in rng.permutation([1, 2, 3])[:2])
    for line in (
        [2 * a, 2 * b, 1, 1, 2 * b + 1, 2 * a + 1],
        [2 * a, 1, 2 * b, 2 * b, 1, 2 * b + 1, 2 * b + 1, 2 * a + 1],
    ):
        yield with_lengths({"line": line, "labels": 3, "words": 2, "longest": 60}, wanted)


def narrow(rng):
    """Just room enough, and a little more; at last as many labels as tokens."""
    for labels, words in sizes(rng, **AXES):
        for more in (0, 1, 2, 3, 5):
            line = a_line(rng, labels, words, words + 3 + more, opens=3.0)
            case = {"line": line, "labels": labels, "words": words, "longest": words + 3 + more}
            yield with_lengths(case, lambda depth, read, length, words: True)
    label = int(rng.integers(1, 4))
    case = {"line": [2 * label, 1, 1, 2 * label + 1], "labels": 3, "words": 2, "longest": 8}
    yield with_lengths(case, lambda depth, read, length, words: True)  # room that nothing is left for
    for words, longest in ((1, 4), (2, 5), (2, 6)):
        line = a_line(rng, longest, words, longest, opens=3.0)
        case = {"line": line, "labels": longest, "words": words, "longest": longest}
        yield with_lengths(case, lambda depth, read, length, words: True)


def models(rng):
    """Scores by a table; at last some that lean to one kind of token, and such as are far below zero."""
    for labels, words in sizes(rng, **AXES, far={"labels": 130, "words": 30}):
        for more in (0, int(rng.integers(1, 12))):
            table = normal(rng, 11, 2 + 2 * labels)
            yield {"table": table, "labels": labels, "words": words, "longest": words + 3 + more}
    yield {"table": normal(rng, 11, 10), "labels": 4, "words": 2, "longest": 4 + 1}
    yield {"table": normal(rng, 11, 10), "labels": 4, "words": 1, "longest": 4}
    for kind in (slice(0, 1), slice(1, 2), slice(2, None, 2), slice(3, None, 2)):
        table = normal(rng, 11, 8)
        table[:, kind] += 5.0
        for longest in (18, 19):  # after as many brackets as there is room for, one token is left, or none
            yield {"table": table, "labels": 3, "words": 4, "longest": longest}
    for scale, shift in ((1.0, -50.0), (1e4, -1e5), (1e10, -1e12)):
        table = scale * normal(rng, 11, 8) + shift
        yield {"table": table, "labels": 3, "words": 4, "longest": 19}


def call_allowed(student, inputs):
    line = list(inputs["line"])
    given = (inputs["labels"], inputs["words"], inputs["longest"])
    masks = [student.allowed(line[:length], *given) for length in inputs["lengths"]]
    return {"allowed, by the length of the prefix": torch.stack([torch.as_tensor(mask) for mask in masks])}


def call_write(student, inputs):
    table = inputs["table"]

    def scores(line):
        if len(line) > 2 * inputs["longest"] + 9:
            raise ValueError(f"the line has {len(line)} tokens, and longest is {inputs['longest']}")
        line = [int(token) for token in line]
        return table[(7 * sum(line) + 3 * len(line)) % len(table)].clone()

    given = (inputs["labels"], inputs["words"], inputs["longest"])
    return {"line": [int(token) for token in student.write(scores, *given)]}


def allowed(prefix, labels, words, longest):
    can = options(prefix, labels, words, longest)
    return torch.tensor([token in can for token in range(2 + 2 * labels)])


def write(scores, labels, words, longest):
    line = []
    while not line or line[-1]:
        here = scores(line).tolist()
        line.append(max(options(line, labels, words, longest), key=here.__getitem__))
    return line


QUESTION = Question(
    id="18.4",
    title="What may come next",
    kind="implement",
    difficulty=4,
    minutes=40,
    reference={"allowed": allowed, "write": write},
    exempt={
        "squeezed": "there are four tokens or more",
        "longest is 1": "a tree and its end have four tokens or more",
        "words and longest agree": "a line has three tokens more than words, or more",
    },
    clauses={
        "Tokens are those of 18.2": "it says what the numbers stand for",
        "if it is not empty": "the mistakes that close empty brackets lose several parts",
        "`write` starts with an empty line": "every case begins there",
        "The scores can be any numbers": ("written", "large_negative"),
        "words + 3 or larger": "what counts the room wrongly loses two parts, where there is little of it",
        "bool tensor (2 + 2 * labels,)": "it is the shape that is compared",
    },
    parts=[
        Part(
            "within",
            3,
            "several brackets are open, a word is left, and there is room",
            call_allowed,
            inputs=within,
            hints=(
                "Take the prefix of the case that is named: which brackets are open, which one was opened "
                "last, and what is in it?",
                "A list of the brackets that are open grows with each opening token, and its last entry goes "
                "with each closing one.",
                "Words and opening brackets can follow here always. The closing of one bracket alone can, if "
                "something is in it: a word, or a bracket that is closed.",
            ),
        ),
        Part(
            "ends",
            3,
            "the start, the outermost bracket, the last word, and the complete tree",
            call_allowed,
            inputs=at_the_ends,
            hints=(
                "What can follow the empty prefix, what the first opening token, and what the complete tree?",
                "When no word is left, what is left to do, and in which order?",
                "The outermost bracket holds all words: it cannot close while one is left. The end comes "
                "when it has closed, and nothing else does.",
            ),
        ),
        Part(
            "room",
            2,
            "brackets open only where there is room to close them",
            call_allowed,
            inputs=narrow,
            hints=(
                "With one word and longest = 4 there is one form of a line: which? What can follow each of "
                "its beginnings?",
                "How many tokens have to come at least: words, closings, and the end?",
                "A bracket that opens adds two tokens to the line: its own and its closing.",
            ),
        ),
        Part(
            "written",
            2,
            "the model's line within the rules",
            call_write,
            inputs=models,
            hints=(
                "Print the line of the case that is named, token by token. Which is the first that is not "
                "the best of those that are allowed?",
                "Is the end in the line, once?",
                "Scores can be far below zero, and all of them: what is set where a token is not allowed has "
                "to be below any score.",
            ),
        ),
    ],
)
