"""Numbers in words, in two languages: translation that needs no download and has one right answer.

*einundzwanzig* is *twenty-one*: German says the units before the tens, so that a model must reorder. French
counts in twenties (*quatre-vingt-dix-neuf*, four twenties and nineteen, is *ninety-nine*), so that words do
not match one to one. The words come from `num2words`.
"""

import random
from functools import partial

from transformer_lib.checks import check_not_negative, check_positive
from transformer_lib.data.pairs import Pair, ParallelCorpus
from transformer_lib.data.tokenizers import CharTokenizer, WordPunctTokenizer

PINNED_NUM2WORDS = "0.5.14"
"""The version of num2words whose words the course's numbers rest on."""

PINNED_SHA256 = {
    "number-words-de-en": "fe8e340606185d9811cb222c33b2f342e3255d71f37cb6e64791304c28c379d8",
    "number-words-fr-en": "97f7bc6a8d1ea28976a3a03a0160eb74f0372a8bec13ff0d6b88f5a63e0c27d6",
}
"""`ParallelCorpus.sha256` of that version's pairs, by name, as `load_number_words` draws them by default."""

LANGUAGES = {"de": "German", "en": "English", "fr": "French"}
TOKENIZERS = {"de": CharTokenizer, "en": WordPunctTokenizer, "fr": WordPunctTokenizer}
LARGEST = 999_999


def load_number_words(
    source: str = "de",
    target: str = "en",
    *,
    n_train: int = 10_000,
    n_valid: int = 1_000,
    n_test: int = 1_000,
    largest: int = LARGEST,
    seed: int = 0,
) -> ParallelCorpus:
    """Draw distinct numbers from 0 to `largest`, and write each in both languages.

    No number is in two parts. Valid and test are the same whatever `n_train`, and all is the same for a seed
    on every platform. Of the numbers to 999,999 nine in ten have six digits; a smaller `largest` gives
    shorter words.

    German is read and written in characters, since a German number is one word however large it is, and the
    order of its parts (*ein-und-zwanzig*) shows only below the word. English and French take words and
    hyphens as tokens: then each row of an attention map is one word, and *twenty* visibly looks at *zwanzig*,
    the far end of the German word, before *one* looks back at *ein*.

    Parameters
    ----------
    source, target
        Two of ``"de"``, ``"en"`` and ``"fr"``.
    n_train, n_valid, n_test
        Pairs in each part.
    largest
        The largest number that may be drawn, at most 999,999.
    seed
        Seed of the draw.

    Raises
    ------
    ValueError
        If a language is not one of the three or given twice, a size or the seed is negative, there is
        nothing to train on, or more numbers are asked for than there are.
    ModuleNotFoundError
        If the package `num2words` is not installed.
    """
    if source == target or not {source, target} <= LANGUAGES.keys():
        raise ValueError(f"{source!r} to {target!r}: give two different ones of {', '.join(LANGUAGES)}")
    sizes = (n_test, n_valid, n_train)
    check_positive(n_train=n_train)
    check_not_negative(n_valid=n_valid, n_test=n_test)
    check_not_negative(seed=seed)
    if not 0 <= largest <= LARGEST or sum(sizes) > largest + 1:
        raise ValueError(
            f"{sum(sizes):,} different numbers from 0 to {largest:,} asked for: `largest` can be at most "
            f"{LARGEST:,}, and the parts together at most as large as the range"
        )
    from num2words import num2words

    say_source, say_target = (partial(num2words, lang=language) for language in (source, target))
    pairs: list[Pair] = [(say_source(n), say_target(n)) for n in draw_distinct(largest + 1, sum(sizes), seed)]
    test, valid, train = pairs[:n_test], pairs[n_test : n_test + n_valid], pairs[n_test + n_valid :]
    return ParallelCorpus(
        name=f"number-words-{source}-{target}",
        train=train,
        valid=valid,
        test=test,
        source_tokenizer=TOKENIZERS[source].fit((pair[0] for pair in train), unknown=True),
        target_tokenizer=TOKENIZERS[target].fit((pair[1] for pair in train), unknown=True),
        description=f"numbers to {largest:,} in {LANGUAGES[source]} and {LANGUAGES[target]}, seed {seed}",
    )


def draw_distinct(n: int, size: int, seed: int) -> list[int]:
    """`size` different numbers from 0 to n - 1 in random order: the same on every platform and Python.

    Of two draws by one seed, the longer begins with the shorter.
    """
    draw = random.Random(seed).random
    moved: dict[int, int] = {}
    drawn = []
    for place in range(size):
        other = place + int(draw() * (n - place))
        drawn.append(moved.get(other, other))
        moved[other] = moved.get(place, place)
    return drawn
