"""Question 11.7: Merge by merge."""

from collections import Counter
from itertools import pairwise

from autograder.authoring import Part, Question


def words(rng, letters, n, longest):
    """Words of a few letters, some of them more than once."""
    return ["".join(rng.choice(list(letters), int(rng.integers(1, longest + 1)))) for _ in range(max(1, n))]


def without_twins(rng, letters, longest):
    """A word in which no letter stands beside itself: how such pairs are counted does not matter here."""
    word = ""
    for _ in range(int(rng.integers(1, longest + 1))):
        word += str(rng.choice([letter for letter in letters if letter != word[-1:]]))
    return word


def pair_counts(pieces):
    return Counter(pair for word in pieces for pair in pairwise(word))


def learned(text, n_merges):
    """The merges, and whether two pairs ever were as frequent as each other."""
    pieces, merges, tied = [list((" " + word).encode()) for word in text.split()], [], False
    while len(merges) < n_merges:
        counts = pair_counts(pieces)
        if not counts:
            break
        most = max(counts.values())
        tied = tied or sum(n == most for n in counts.values()) > 1
        merges.append(next(pair for pair, n in counts.items() if n == most))
        pieces = [joined(word, merges[-1], 255 + len(merges)) for word in pieces]
    return merges, tied


def joined(word, pair, token):
    new = []
    for piece in word:
        # a token that was just made is larger than both of its pair
        if new and (new[-1], piece) == pair:
            new[-1] = token
        else:
            new.append(piece)
    return new


def clear_texts(rng):
    """Texts in which at each step one pair is more frequent than every other."""
    often, twice = rng.permutation(list("abcdef"))[:2]
    yield {"text": " ".join([twice, *[often] * 4, twice]), "n_merges": 2}
    yield {"text": f"{(often + twice) * 2} {(often + twice) * 2} {often}{twice}", "n_merges": 3}
    kinds = [("abc", 40, 3), ("xyé", 30, 2), ("abcd", 40, 3), ("ab", 15, 1), ("nop", 30, 2)]
    for letters, n, n_merges in kinds:
        while True:
            text = " ".join(without_twins(rng, letters, 4) for _ in range(n))
            merges, tied = learned(text, n_merges)
            grows = n_merges < 3 or max(token for pair in merges for token in pair) > 255
            if grows and not tied and len(merges) == n_merges:
                yield {"text": text, "n_merges": n_merges}
                break


def long_word(rng):
    """One word in which so many pairs are joined that tokens are above 512."""
    while True:
        word = "".join(chr(n) for n in rng.integers(33, 127, 275 + int(rng.integers(10))))
        if len(merges := learned(word, 300)[0]) > 260:
            return word, merges


def any_texts(rng):
    """Ties, letters beside themselves, other blanks, fewer pairs than merges, no word at all."""
    for letters in ("ab", "a", "abcß", "aé"):
        n, longest, n_merges = (int(number) for number in rng.integers(3, 9, 3))
        yield {"text": " ".join(words(rng, letters, n, longest)), "n_merges": n_merges}
    a, b, c = rng.permutation(list("abcdef"))[:3]
    yield {"text": f"{a}{b} {a}{b} {c * 4}", "n_merges": 2}
    yield {"text": f"{a}{b} {c}{a} {c}{a} {c}{a}", "n_merges": 1}
    # four of a letter become two tokens, which the third merge still has to join
    yield {"text": c * 4, "n_merges": 3}
    yield {"text": f"{c * 3}{b}", "n_merges": 3}
    yield {"text": "low low lower", "n_merges": 3}
    yield {"text": long_word(rng)[0], "n_merges": 300}
    few = words(rng, "abc", 2, 3)
    yield {"text": few[0], "n_merges": 20}
    yield {"text": f"\n{few[0]}\t{few[1]}  {few[0]}\n", "n_merges": 5}
    yield {"text": " ".join(few), "n_merges": 0}
    yield {"text": "  ", "n_merges": 3}


def other_texts(rng):
    """Merges of one text, and another text to encode."""
    kinds = [("abc", 20, 4, 6), ("abcd", 24, 5, 9), ("aé", 12, 5, 8), ("ab", 9, 6, 7), ("xy", 10, 6, 12)]
    for letters, n, longest, n_merges in kinds:
        merges, _ = learned(" ".join(words(rng, letters, n, longest)), n_merges)
        text = " ".join(words(rng, letters + letters + "zü€", 8, 2 * longest))
        yield {"text": text, "merges": merges}
        yield {"text": text, "merges": merges[: len(merges) // 2]}
        yield {"text": " ".join(words(rng, letters, 5, 2 * longest)), "merges": merges}
    yield {"text": "lower slow", "merges": [(32, 108), (256, 111), (257, 119)]}
    word, many = long_word(rng)
    yield {"text": f"{word} {word[40:]} {word[:-3]}", "merges": many}
    letter = str(rng.choice(list("mnop")))
    yield {"text": f"{letter * 3} {letter * 4}", "merges": [(ord(letter), ord(letter))]}
    yield {"text": "", "merges": merges}
    yield {"text": " a\n\nb  ", "merges": merges}
    a, b, c = (int(number) for number in rng.permutation([ord(letter) for letter in "abcdef"])[:3])
    # the merge that was learned first takes the letter that the second would take from the left
    yield {"text": f"{bytes([a, b, c]).decode()} {bytes([a, b]).decode()}", "merges": [(b, c), (a, b)]}


def runs(rng):
    """One letter, many times, and merges that join it more than once."""
    for _ in range(3):
        text = " ".join("a" * int(n) for n in rng.integers(1, 14, int(rng.integers(4, 7))))
        yield {"text": text, "merges": [(97, 97), (256, 256), (256, 97)][: int(rng.integers(1, 4))]}
        yield {"text": text, "merges": [(97, 97), (32, 256), (257, 256), (256, 256)]}


def call_learn(student, inputs):
    merges = student.learn_merges(inputs["text"], inputs["n_merges"])
    return {"merges": [list(pair) for pair in merges]}


def call_encode(student, inputs):
    merges = [tuple(pair) for pair in inputs["merges"]]
    given = list(merges)
    tokens = list(student.encode(inputs["text"], merges))
    return {"tokens": tokens, "the merges are as they were": merges == given}


def learn_merges(text, n_merges):
    return learned(text, n_merges)[0]


def encode(text, merges):
    tokens = []
    for word in text.split():
        pieces = list((" " + word).encode())
        for number, pair in enumerate(merges):
            pieces = joined(pieces, tuple(pair), 256 + number)
        tokens += pieces
    return tokens


QUESTION = Question(
    id="11.7",
    title="Merge by merge",
    kind="implement",
    difficulty=4,
    minutes=35,
    reference={"learn_merges": learn_merges, "encode": encode},
    exempt={
        "learn_merges: remembers by shape": "the same text and the same number have the same merges: to "
        "remember these is right",
    },
    clauses={
        "The tokens 0 to 255 are the bytes": "number_255 and number_257 lose every part",
        "as GPT-2 does": "it names a model",
        "list((": "no_blank loses every part",
        "If several are as frequent": ("any", "last_of_equals"),
        "four equal tokens in a row": ("any", "apart_counted"),
        "occurs only once is joined": ("any", "once_not_joined"),
        "fewer merges than asked for": ("any", "filled_up"),
        "low low lower": "it is a case",
        "The blank (32) and *l*": "it follows the example",
        "Then token 256 takes in": "it follows the example",
        "with these merges is": "it is a case",
        "how many pairs to join at most": ("any", "capped"),
        "str, with any characters": "characters loses clear, any and encode",
    },
    parts=[
        Part(
            "clear",
            3,
            "the merges of texts without ties",
            call_learn,
            inputs=clear_texts,
            hints=(
                "Take the text of the example, and write down the tokens of its words after each merge. "
                "Which pairs are there then, and how often is each?",
                "A word that occurs five times counts five times. Pairs never reach from one word into the "
                "next.",
                "After each merge all pairs are counted again, in words that now hold the new token.",
            ),
        ),
        Part(
            "any",
            2,
            "ties, a letter beside itself, and the ends",
            call_learn,
            inputs=any_texts,
            hints=(
                "Here pairs are as frequent as one another, a letter stands beside itself, or the pairs "
                "run out. "
                "Which of these holds for the text that is named? Follow it by hand.",
                "Of several pairs that are the most frequent, which stands first in the text, as it is cut "
                "now? A dictionary keeps the order in which pairs were met.",
                "A letter four times in a row holds three pairs, and joined from the left it "
                "becomes two tokens.",
                "A pair that occurs once is joined as well. When no word has two tokens any more, stop.",
            ),
        ),
        Part(
            "encode",
            3,
            "other texts, with merges that were learned",
            call_encode,
            inputs=other_texts,
            hints=(
                (
                    "Encode one word of the case that is named by hand: its bytes with the blank before "
                    "it, then one merge after the other. Where does your code do something else?"
                ),
                "A character may be several bytes. Each word begins with the byte of its blank, 32.",
                "Go through the merges in the order in which they were learned; each is applied wherever its "
                "pair stands in the word.",
            ),
        ),
        Part(
            "runs",
            1,
            "a letter many times in a row",
            call_encode,
            inputs=runs,
            hints=(
                "Write down what a letter five times in a row becomes by each of the merges of the case "
                "that is "
                "named.",
                "Join from left to right; a token that was made by this merge is not joined again by it.",
            ),
        ),
    ],
)
