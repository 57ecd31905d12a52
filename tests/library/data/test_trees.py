"""Trees become lines and come back; brackets are counted as EVALB counts them."""

import itertools
import math
import random
from collections import Counter

import pytest

from transformer_lib.data.trees import (
    SIGHTINGS,
    brackets,
    format_tree,
    leaves,
    linearize,
    load_sightings,
    preterminals,
    read_tree,
    relabel,
    right_branching,
    tree_of_line,
    without_function,
)
from transformer_lib.metrics import bracket_f1


def random_tree(rng, depth=5):
    """A tree of few labels, so that chains and repeated labels are frequent."""
    if depth == 0 or rng.random() < 0.3:
        return (rng.choice(["DT", "NN", ",", "."]), rng.choice("abc"))
    return (
        rng.choice(["S", "NP", "NP-SBJ", "PRT"]),
        *(random_tree(rng, depth - 1) for _ in range(rng.randint(1, 3))),
    )


def phrases(seed):
    return ("ROOT", random_tree(random.Random(seed)))


@pytest.mark.parametrize("seed", range(40))
def test_a_line_with_the_tags_and_words_is_the_tree(seed):
    tree = phrases(seed)
    line = linearize(tree)
    assert tree_of_line(line, preterminals(tree)) == tree
    assert line.count("XX") == len(leaves(tree)) == len(preterminals(tree))
    assert sum(token.startswith("(") for token in line) == sum(token.startswith(")") for token in line)
    assert read_tree(format_tree(tree)) == tree


def test_a_linearized_tree_names_what_each_bracket_closes():
    tree = read_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")
    assert linearize(tree) == ["(S", "(NP", "XX", "XX", ")NP", "(VP", "XX", ")VP", ")S"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "ends with 0 brackets open and 2 words"),
        ("(S XX )S", "ends with 0 brackets open and 1 words to come"),
        ("(S XX XX", "ends with 1 brackets open"),
        ("(S XX XX XX )S", "token 3 is a word, but the sentence has 2"),
        ("(S (NP XX )S XX )NP", "token 3, .S, closes no bracket"),
        ("(S (NP )NP XX XX )S", "token 2, .NP, closes a bracket with nothing"),
        ("(S XX )S (S XX )S", "token 3, .S, follows"),
        ("XX XX", "token 1, XX, follows"),
        (")S", "token 0, .S, closes no bracket"),
        ("(S ( XX XX )S", "token 1"),
    ],
)
def test_what_is_no_tree_of_the_sentence_says_why(line, message):
    with pytest.raises(ValueError, match=message):
        tree_of_line(line.split(), [("DT", "the"), ("NN", "cat")])


def test_a_word_without_a_tag_is_refused():
    for read in (linearize, preterminals):
        with pytest.raises(
            ValueError, match=r"the word 'cat' has no tag of its own in \(NP \(DT the\) cat\)"
        ):
            read(("S", ("NP", ("DT", "the"), "cat")))


# The cases below are counted by hand from the rules.
GOLD = "(ROOT (S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat) (PRT (RP down))) (. .)))"


def test_tags_the_top_and_punctuation_are_not_scored():
    assert brackets(read_tree(GOLD)) == [("S", 0, 4), ("NP", 0, 2), ("VP", 2, 4), ("ADVP", 3, 4)]


def test_punctuation_takes_no_place_wherever_it_is_attached():
    inside = read_tree(GOLD.replace(") (. .)))", " (. .)) ))").replace("(NN cat)", "(, ,) (NN cat)"))
    assert brackets(inside) == brackets(read_tree(GOLD))


def test_a_phrase_of_punctuation_alone_is_no_bracket():
    assert brackets(read_tree("(S (PRN (: :) (, ,)) (NP (NN x)))")) == [("S", 0, 1), ("NP", 0, 1)]


def test_functions_and_indices_do_not_count_and_parentheses_are_words():
    tree = read_tree("(TOP (S=2 (NP-SBJ-1 (-LRB- -LRB-) (NN x) (-RRB- -RRB-))))")
    assert brackets(tree) == [("S", 0, 3), ("NP", 0, 3)]
    labels = ["NP-SBJ", "S=2", "-LRB-", "WHNP-TMP-1"]
    assert [without_function(label) for label in labels] == ["NP", "S", "-LRB-", "WHNP"]


def test_chains_of_one_label_are_two_brackets():
    assert brackets(read_tree("(S (NP (NP (NN x))))")) == [("S", 0, 1), ("NP", 0, 1), ("NP", 0, 1)]


def score(hypothesis, reference):
    return bracket_f1([brackets(read_tree(hypothesis))], [brackets(read_tree(reference))])


def test_two_attachments_differ_in_one_bracket_of_each_side():
    to_noun = "(S (NP (NNP ada)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NN fun))))))"
    to_verb = "(S (NP (NNP ada)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NN fun)))))"
    found = score(to_verb, to_noun)
    # found: S, NP ada, VP, NP a man, PP, NP fun; to be found: the same and NP over a man with fun
    assert (found.precision, found.recall) == (1.0, 6 / 7)
    assert math.isclose(found.f1, 12 / 13)


def test_a_right_span_with_another_label_is_wrong():
    found = score("(S (VP (NN x) (NN y)) (NN z))", "(S (NP (NN x) (NN y)) (NN z))")
    assert (found.precision, found.recall, found.f1) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("seed", range(20))
def test_equal_trees_have_an_f1_of_one_and_both_sides_count_alike(seed):
    one, other = (
        brackets(("ROOT", ("S", ("NN", "a"), random_tree(random.Random(s))))) for s in (seed, seed + 99)
    )
    assert bracket_f1([one], [one]).f1 == 1.0
    there, back = bracket_f1([one], [other]), bracket_f1([other], [one])
    assert (there.precision, there.recall, there.f1) == (back.recall, back.precision, back.f1)


def definition(hypothesis, reference):
    """EVALB's own way: each bracket of the reference takes the first equal one that is free."""
    free, right = list(hypothesis), 0
    for span in reference:
        if span in free:
            free.remove(span)
            right += 1
    return right


@pytest.mark.parametrize("seed", range(20))
def test_matched_brackets_are_those_of_matching_one_by_one(seed):
    rng = random.Random(seed)
    one, other = (brackets(("S", ("NN", "a"), random_tree(rng), random_tree(rng))) for _ in range(2))
    assert definition(one, other) == (Counter(one) & Counter(other)).total()


def test_right_branching_gives_each_word_all_that_follow_it_as_a_sister():
    words = [("DT", "the"), ("NN", "cat"), ("VBD", "sat")]
    assert format_tree(right_branching(words, "S", "VP")) == "(S (DT the) (VP (NN cat) (VBD sat)))"
    assert format_tree(right_branching(words[:1], "S", "VP")) == "(S (DT the))"
    with pytest.raises(ValueError, match="at least one word"):
        right_branching([], "S", "VP")


@pytest.mark.parametrize("n", range(1, 9))
def test_right_branching_has_its_words_and_a_bracket_for_all_but_the_last(n):
    words = [("NN", f"w{i}") for i in range(n)]
    tree = right_branching(words, "S", "X")
    assert preterminals(tree) == words
    assert brackets(tree) == [("S" if i == 0 else "X", i, n) for i in range(max(1, n - 1))]


# The embedded treebank


def test_the_sightings_of_a_seed_are_the_same_and_the_held_out_ones_are_new():
    one, same, other = (load_sightings(200, 30, seed=seed) for seed in (1, 1, 2))
    assert (one.train, one.valid, one.test) == (same.train, same.valid, same.test)
    assert one.train != other.train
    known = {tuple(leaves(tree)) for tree in one.train}
    assert not known & {tuple(leaves(tree)) for tree in [*one.valid, *one.test]}
    assert [len(one.train), len(one.valid), len(one.test)] == [200, 30, 30]
    assert max(len(leaves(tree)) for tree in one.train) <= 24
    with pytest.raises(ValueError, match="each part needs a tree"):
        load_sightings(0)


def test_no_label_of_a_sighting_says_its_function():
    labels = set()
    for tree in load_sightings(200, 1).train:
        relabel(tree, lambda label: labels.add(label) or label)
    assert labels == {"S", "NP", "VP", "PP", "SBAR", "DT", "JJ", "NN", "NNP", "VBD", "IN", "WP"}


def fine_trees(tree, label):
    """All ways to put functions back on the labels of a sighting, below this label."""
    parts = tree[1:]
    for rule in SIGHTINGS.rules[label]:
        fits = len(rule) == len(parts) and all(
            rule_part == part if isinstance(part, str) else without_function(rule_part) == part[0]
            for rule_part, part in zip(rule, parts)
        )
        if fits and isinstance(parts[0], str):
            yield (label, *parts)
        elif fits:
            rows = itertools.product(*(list(fine_trees(p, name)) for p, name in zip(parts, rule)))
            yield from ((label, *row) for row in rows)


def test_a_sentence_with_its_tree_comes_about_in_one_way():
    """So the best tree of the grammar, its functions taken off, is the most probable tree there is."""
    rng = random.Random(3)
    for _ in range(200):
        drawn = SIGHTINGS.sample(rng)
        assert list(fine_trees(relabel(drawn, without_function), "S")) == [drawn]


@pytest.mark.parametrize(
    ("text", "with_verb"),
    [
        ("ada saw ben with the telescope", True),
        ("ada saw ben with the beard", False),
        ("ada saw the girl in the garden with a camera", True),
        ("ada saw the girl in the garden with a dog", False),
    ],
)
def test_the_last_noun_decides_where_with_belongs(text, with_verb):
    tree, _ = SIGHTINGS.best_tree(text.split())
    assert (tree[2][-1][0] == "PP-USE") is with_verb
