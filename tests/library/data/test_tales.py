"""The grammar's exact quantities agree with each other, with enumeration and with what is drawn from it."""

import itertools
import math
import random
import statistics
from collections import Counter

import pytest

from transformer_lib.data import TALES, Grammar, load_tales
from transformer_lib.data.tokenizers import END

SMALL = Grammar(
    """
Story: 1 once {hero.they} met {hero} . | 2 {hero} had Pet and Pet .
    | 1 {hero.child} and {hero} loved Pet
Pet: 3 a dog | 1 a bird that loved {hero.them} Tail
Tail: 1 too | 1 and {hero}
""",
    [
        """
        hero they them child
        3 ada she her girl
        1 eva she her girl
        2 ben he him boy
        """
    ],
)


def stories_of(grammar: Grammar) -> dict[str, float]:
    """Every story with its probability, found by asking for the next word again and again."""
    stories, open_prefixes = {}, [("", 1.0)]
    while open_prefixes:
        prefix, p = open_prefixes.pop()
        for word, q in grammar.next_word_probs(prefix).items():
            if word == END:
                stories[prefix] = p * q
            else:
                open_prefixes.append((f"{prefix} {word}".strip(), p * q))
    return stories


def test_exact_quantities_of_a_small_grammar_equal_those_of_its_enumerated_stories():
    stories = stories_of(SMALL)
    lengths = {story: len(story.split()) + 1 for story in stories}
    assert sum(stories.values()) == pytest.approx(1, abs=1e-12)
    assert SMALL.entropy() == pytest.approx(-sum(p * math.log(p) for p in stories.values()), abs=1e-12)
    assert SMALL.expected_length() == pytest.approx(
        sum(p * lengths[s] for s, p in stories.items()), abs=1e-12
    )
    assert SMALL.longest() == max(lengths.values())
    for story, p in stories.items():
        (derivation,) = SMALL.derivations(story)
        assert derivation.log_prob == pytest.approx(math.log(p), abs=1e-12)
        assert SMALL.log_prob(story) == pytest.approx(math.log(p), abs=1e-12)


@pytest.mark.slow
def test_samples_come_as_often_as_their_probability_says():
    rng = random.Random(1)
    n = 20_000
    counts = Counter(SMALL.sample(rng) for _ in range(n))
    stories = stories_of(SMALL)
    assert counts.keys() <= stories.keys()
    statistic = sum((counts[s] - n * p) ** 2 / (n * p) for s, p in stories.items())
    freedom = len(stories) - 1
    assert statistic < freedom + 5 * math.sqrt(2 * freedom)


@pytest.fixture(scope="module")
def tales() -> list[str]:
    rng = random.Random(7)
    return [TALES.sample(rng) for _ in range(2000)]


@pytest.mark.slow
def test_entropy_and_length_of_tales_lie_in_the_interval_of_a_sample(tales):
    surprise = [-sum(TALES.token_log_probs(tale)) for tale in tales[:250]]
    lengths = [len(tale.split()) + 1 for tale in tales]
    for exact, sample in ((TALES.entropy(), surprise), (TALES.expected_length(), lengths)):
        error = statistics.stdev(sample) / math.sqrt(len(sample))
        assert abs(statistics.mean(sample) - exact) < 4 * error
        assert error < 0.015 * exact
    assert TALES.entropy_rate() == TALES.entropy() / TALES.expected_length()


@pytest.mark.slow
def test_every_tale_has_one_derivation_whose_probability_is_that_of_its_words(tales):
    for tale in tales[:15]:
        (derivation,) = TALES.derivations(tale)
        assert sum(TALES.token_log_probs(tale)) == pytest.approx(derivation.log_prob, abs=1e-9)
        assert TALES.log_prob(tale) == pytest.approx(derivation.log_prob, abs=1e-9)
        assert leaves(derivation.tree) == tale.split()


def leaves(tree) -> list[str]:
    return [tree] if isinstance(tree, str) else list(itertools.chain.from_iterable(map(leaves, tree[1:])))


@pytest.mark.slow
def test_next_word_probabilities_sum_to_one_and_contain_the_word_that_comes(tales):
    for tale in tales[:20]:
        words = tale.split()
        log_probs = TALES.token_log_probs(tale)
        for i in (0, 1, 5, len(words) // 2, len(words) - 1, len(words)):
            probs = TALES.next_word_probs(" ".join(words[:i]))
            assert sum(probs.values()) == pytest.approx(1, abs=1e-9)
            assert math.log(probs[[*words, END][i]]) == pytest.approx(log_probs[i], abs=1e-9)


def test_tales_stay_within_the_sizes_that_models_are_built_for():
    assert TALES.longest() < 128
    assert 45 <= TALES.expected_length() <= 80
    assert 100 <= len(TALES.vocabulary()) <= 200
    assert TALES.entropy_rate() > 0.85


def test_hero_and_object_are_no_surprise_once_they_were_named_and_pronouns_agree(tales):
    recalled = 0
    for tale in tales[:50]:
        words, log_probs = tale.split(), TALES.token_log_probs(tale)
        hero = next(row for row in TALES.facts[0].rows if row[0] in words)
        thing = next(row[0] for row in TALES.facts[3].rows if row[0] in words)
        assert words.count(thing) >= 2
        for name in (hero[0], thing):
            assert log_probs[words.index(name)] < -1
            later = [i for i, word in enumerate(words) if word == name][1:]
            assert all(abs(log_probs[i]) < 1e-9 for i in later)
            recalled += len(later)
        assert set(words) & {"he", "him", "his", "boy", "she", "her", "girl"} <= set(hero[1:])
    assert recalled > 100


def test_a_derivation_tells_the_facts_by_name(tales):
    for tale in tales[:10]:
        (derivation,) = TALES.derivations(tale)
        assert derivation.facts.keys() == {"hero", "home", "quality", "object", "animal", "kin"}
        assert set(derivation.facts.values()) <= set(tale.split())


def test_an_impossible_story_has_no_probability_and_its_first_wrong_word_is_named():
    assert TALES.log_prob("once a wise girl") == -math.inf
    assert TALES.derivations("once a clever girl named ada") == []
    with pytest.raises(ValueError, match=r"'wise' as word 3, after 'once a'; possible are brave, clever"):
        TALES.token_log_probs("once a wise girl")
    with pytest.raises(ValueError, match="'<eos>' as word 5"):
        TALES.token_log_probs("once a clever girl")


@pytest.mark.parametrize(
    ("rules", "facts", "message"),
    [
        ("Story: 1 a Dog", [], "no line defines Dog"),
        ("Story: 1 a dog\nCat: 1 cat", [], "no rule uses Cat"),
        ("Story: 1 a Dog\nDog: 1 dog | 1 big Dog", [], "unbounded: Dog in Dog"),
        ("Story: 1 a\nStory: 1 b", [], "new rule's name"),
        ("story: 1 a", [], "new rule's name"),
        ("Story 1 a", [], "new rule's name"),
        ("Story: a dog", [], "a weight and one or more parts"),
        ("Story: 1 a | 1", [], "a weight and one or more parts"),
        ("Story: 0 a", [], "whole numbers from 1"),
        ("Story: 1 {hero}", [], r"no fact has \{hero\}"),
        ("Story: 1 {hero.them}", ["hero\n1 ada"], r"no fact has \{hero.them\}"),
        ("Story: 1 {hero} | 1 nobody", ["hero\n1 ada"], r"can end without \{hero\}"),
        ("Story: 1 {hero}", ["hero they\n1 ada"], "a weight and 2 words"),
        ("Story: 1 {hero}", ["hero\n1 ada\n2 ada"], "another first word"),
    ],
)
def test_a_grammar_with_a_mistake_is_refused_in_words(rules, facts, message):
    with pytest.raises(ValueError, match=message):
        Grammar(rules, facts)


def test_an_ambiguous_grammar_shows_both_derivations_and_adds_their_probabilities():
    grammar = Grammar("Story: 1 A b | 3 a B\nA: 1 a\nB: 1 b | 1 c")
    assert len(grammar.derivations("a b")) == 2
    assert grammar.log_prob("a b") == pytest.approx(math.log(1 / 4 + 3 / 8))
    assert sum(grammar.token_log_probs("a b")) == pytest.approx(math.log(1 / 4 + 3 / 8))


def test_tales_are_the_same_bytes_everywhere():
    assert (
        load_tales(100, 10, 10).sha256 == "a5195b58ebbd97efdc5d873ec12486436cab39942426b8620099cc89802d8896"
    )


def test_a_part_depends_on_the_seed_and_on_no_other_part():
    corpus, larger, other = load_tales(20, 10, 10), load_tales(30, 10, 10), load_tales(20, 10, 10, seed=1)
    assert larger.train[:20] == corpus.train
    assert (larger.valid, larger.test) == (corpus.valid, corpus.test)
    parts = [corpus.train, corpus.valid, corpus.test, other.train, other.valid, other.test]
    assert len(set().union(*parts)) == sum(map(len, parts))


def test_tales_know_their_entropy_rate_and_all_their_words():
    corpus = load_tales(5, 5, 5)
    assert corpus.entropy_rate == TALES.entropy_rate()
    for story in (*corpus.train, *corpus.valid, *corpus.test):
        assert corpus.tokenizer.decode(corpus.tokenizer.encode(story)) == story


@pytest.mark.parametrize(
    ("sizes", "message"),
    [((0, 1, 1), "n_train must be at least 1; got 0"), ((1, -1, 0), "n_valid must be at least 0; got -1")],
)
def test_no_tales_to_train_on_is_an_error(sizes, message):
    with pytest.raises(ValueError, match=message):
        load_tales(*sizes)
    with pytest.raises(ValueError, match="seed"):
        load_tales(seed=-1)
