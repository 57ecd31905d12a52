"""Question 18.6: The best tree."""

import math

from autograder.authoring import Part, Question, sizes


def two_best(words, binary, lexical, top):
    """The log-probabilities of the two best trees, the best first, by charts that hold two."""
    n, chart = len(words), {}
    for i, word in enumerate(words):
        for (a, read), p in lexical:
            if read == word:
                chart.setdefault((i, i + 1, a), []).append(math.log(p))
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            k = i + length
            for (a, b, c), p in binary:
                found = [
                    math.log(p) + left + right
                    for j in range(i + 1, k)
                    for left in chart.get((i, j, b), ())
                    for right in chart.get((j, k, c), ())
                ]
                if found:
                    every = sorted([*chart.get((i, k, a), ()), *found], reverse=True)
                    chart[i, k, a] = every[:2]
    return chart.get((0, n, top), [])


def a_grammar(rng, symbols, vocabulary, density=0.5):
    """Rules between all symbols with this probability, and one or two symbols for each word."""
    numbers = [int(number) for number in rng.permutation(range(1, symbols + 4))[:symbols]]
    binary = [
        [[a, b, c], float(rng.uniform(0.02, 0.5))]
        for a in numbers
        for b in numbers
        for c in numbers
        if rng.random() < density
    ]
    lexical = [
        [[int(a), word], float(rng.uniform(0.02, 0.5))]
        for word in range(vocabulary)
        for a in rng.permutation(numbers)[: int(rng.integers(1, 3))]
    ]
    order = rng.permutation(len(binary))
    return [binary[int(number)] for number in order], lexical, numbers


def a_sentence(rng, symbols, words, density=0.5, n_trees=1):
    """A grammar and a sentence with so many trees or more, of which one is clearly the best."""
    for tries in range(10_000):
        binary, lexical, numbers = a_grammar(rng, symbols, max(2, words - 1), density + tries / 10_000)
        case = {
            "words": [int(word) for word in rng.integers(0, max(2, words - 1), words)],
            "binary": binary,
            "lexical": lexical,
            "top": int(rng.choice(numbers)),
        }
        best = two_best(*case.values())
        if len(best) >= n_trees and (len(best) < 2 or best[0] - best[1] > 0.01):
            return case
    raise ValueError("no such sentence")


def branching(rng):
    """A sentence of three words with one tree, whose brackets lie to the right, and one to the left."""
    a, b, d = (int(number) for number in rng.permutation(range(1, 9))[:3])
    binary = [[[a, b, a], float(rng.uniform(0.1, 0.4))], [[a, a, d], float(rng.uniform(0.1, 0.4))]]
    for pair, words in (((b, a), [0, 0, 1]), ((a, d), [0, 1, 1])):
        lexical = [[[symbol, word], float(rng.uniform(0.1, 0.9))] for word, symbol in enumerate(pair)]
        yield {"words": words, "binary": binary, "lexical": lexical, "top": a}


def short(rng):
    """Sentences of one word and more; at last two trees, of which the first or the last is better."""
    for symbols, words in sizes(rng, symbols=(1, 4), words=(1, 6)):
        yield a_sentence(rng, symbols, min(words, 2) if symbols == 1 else words, 0.9 if symbols == 1 else 0.5)
    for _ in range(4):
        yield a_sentence(rng, 3, int(rng.integers(4, 7)), 0.4, n_trees=2)
    a, b, c, d = (int(number) for number in rng.permutation(range(1, 9))[:4])
    lexical = [[[b, 0], 0.5], [[c, 1], 0.5], [[d, 2], 0.5]]
    low = float(rng.uniform(0.05, 0.2))
    # one split is best by what lies below it, though the other's rule is more probable
    for of_both, right, left in ((low / 2, 3 * low, low), (3 * low, low / 2, low)):
        rules = [[[a, b, c], of_both], [[c, c, d], right], [[a, a, d], left]]
        yield {"words": [0, 1, 2], "binary": rules, "lexical": lexical, "top": a}
    yield from branching(rng)


def without_tree(rng):
    """Sentences with a tree; and without: a word that nobody knows, another symbol on top, no rule."""
    one = {
        "words": [3],
        "binary": [[[2, 2, 2], 0.5]],
        "lexical": [[[2, 3], float(rng.uniform(0.1, 0.5))]],
        "top": 2,
    }
    for case in (*branching(rng), one):
        yield case
        yield {**case, "top": 90}
        yield {**case, "words": [*case["words"][:-1], 77]}
        yield {**case, "lexical": []}
        yield {**case, "words": [*case["words"], 77]}
        if len(case["words"]) > 1:
            yield {**case, "binary": []}


def long(rng):
    """Sentences so long that a float takes their probability for zero; brackets to the right, or the left."""
    for is_left in (False, True):
        a, b, c = (int(number) for number in rng.permutation(range(1, 9))[:3])
        binary = [
            [[a, a, other] if is_left else [a, other, a], float(rng.uniform(0.1, 0.3))] for other in (b, c)
        ]
        # each of two symbols is the better one for one of two words, whatever the rules say
        chances = ((b, 0, 9), (b, 256, 1), (c, 0, 1), (c, 256, 9), (a, 0, 4), (a, 256, 5))
        lexical = [[[symbol, word], float(p * rng.uniform(1.0, 1.3) * 1e-13)] for symbol, word, p in chances]
        words = [0, 256, 0, 256, *(256 * int(one) for one in rng.integers(0, 2, int(rng.integers(25, 30))))]
        yield {"words": words, "binary": binary, "lexical": lexical, "top": a}


def sums(rng):
    """Sentences of all kinds; those with trees that are equally probable are there."""
    yield from short(rng)
    yield from long(rng)
    yield from without_tree(rng)
    top = int(rng.integers(1, 9))
    yield {"words": [0] * 7, "binary": [[[top, top, top], 0.4]], "lexical": [[[top, 0], 0.6]], "top": top}
    yield {"words": [0] * 3, "binary": [[[1, 1, 1], 1e-200]], "lexical": [[[1, 0], 1e-200]], "top": 1}


def call_best(student, inputs):
    """The logarithm, and the tree as rows in the order of reading: a symbol and its parts, or -1, place."""
    binary = {tuple(rule): p for rule, p in inputs["binary"]}
    lexical = {tuple(rule): p for rule, p in inputs["lexical"]}
    total, tree = student.best_tree(list(inputs["words"]), binary, lexical, inputs["top"])
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
    return {"log-probability": total, "symbols and numbers of parts, -1 and places": rows}


def call_sum(student, inputs):
    binary = {tuple(rule): p for rule, p in inputs["binary"]}
    lexical = {tuple(rule): p for rule, p in inputs["lexical"]}
    return {"log-probability": student.log_prob(list(inputs["words"]), binary, lexical, inputs["top"])}


def splits(words, binary, lexical, top, join):
    """The chart, from the top down with a memory; ``join`` makes one entry of several."""
    memory = {}

    def of(symbol, i, k):
        if (symbol, i, k) not in memory:
            found = []
            if k == i + 1 and (symbol, words[i]) in lexical:
                found = [(math.log(lexical[symbol, words[i]]), (symbol, i))]
            for (a, b, c), p in binary.items():
                for j in range(i + 1, k) if a == symbol else ():
                    left = of(b, i, j)
                    right = of(c, j, k) if left else None
                    if left and right:
                        total = math.log(p) + left[0] + right[0]
                        found.append((total, (a, left[1], right[1])))
            memory[symbol, i, k] = join(found) if found else None
        return memory[symbol, i, k]

    return of(top, 0, len(words)) or (-math.inf, None)


def best_tree(words, binary, lexical, top):
    return splits(words, binary, lexical, top, lambda found: max(found, key=lambda pair: pair[0]))


def log_prob(words, binary, lexical, top):
    def added(found):
        most = max(total for total, _ in found)
        return most + math.log(math.fsum(math.exp(total - most) for total, _ in found)), None

    return splits(words, binary, lexical, top, added)[0]


QUESTION = Question(
    id="18.6",
    title="The best tree",
    kind="implement",
    difficulty=4,
    minutes=40,
    reference={"best_tree": best_tree, "log_prob": log_prob},
    clauses={
        "a symbol becomes two symbols or one word": "it is the form of the rules",
        "in the form of 18.2": "it says what the numbers stand for",
        "(4, 2)": "every tree has such parts",
        "No two trees of a sentence": "it is so in the cases of `best_tree`",
        "A sentence without a tree gets": "it has a part of its own",
        "no float holds their probability": ("long", "products"),
        "list of ints, one or more": "there are sentences of one word in several parts",
        "by the triple of": "it is the form of the rules",
        "by the pair of its": "it is the form of the rules",
    },
    parts=[
        Part(
            "short",
            4,
            "the best tree of sentences that have one",
            call_best,
            inputs=short,
            hints=(
                "Take a sentence of two words, and write down the chart by hand: what can each word be, "
                "and what both together?",
                "Is the logarithm right and the tree wrong, or are both? What does your chart keep of each "
                "span and symbol?",
                "A span of three words has two splits, and a symbol can become the same two symbols at "
                "each. All rules and splits compete.",
                "Both halves are shorter than the whole: when a span's turn comes, all shorter ones have "
                "to be done.",
            ),
        ),
        Part(
            "no tree",
            1,
            "sentences without a tree",
            call_best,
            inputs=without_tree,
            hints=(
                "What does your program give for a word that stands in no rule?",
                "There can be trees of all words with another symbol on top.",
                "The answer is then the pair of -math.inf and None.",
            ),
        ),
        Part(
            "long",
            2,
            "sentences whose probability is zero in a float",
            call_best,
            inputs=long,
            hints=(
                "What is 1e-13 to the power of 30 in Python?",
                "A product of many small numbers is a sum of logarithms, which never leaves the floats.",
                "Words, rules and halves: each adds its logarithm. Which place on the way still multiplies?",
            ),
        ),
        Part(
            "sum",
            3,
            "the probability of the sentence, the sum over its trees",
            call_sum,
            inputs=sums,
            hints=(
                "The sentence 0 0 0 with the rules 1 -> 1 1 and 1 -> 0 has two trees. What is its "
                "probability?",
                "It is the same chart, with a sum where the best tree takes the maximum. Which two maxima "
                "are they?",
                "The sum of two probabilities, given by their logarithms: take the larger one out, so that "
                "no exponential becomes zero for both.",
            ),
        ),
    ],
)
