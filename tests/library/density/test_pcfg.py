"""A grammar's best tree and its sum over trees are those of listing every tree."""

import math
import random

import numpy as np
import pytest

from transformer_lib.density.pcfg import PCFG

SCOPE = """
S: 1 NP VP
VP: 3 V NP | 2 V NP PP | 1 V
NP: 4 the N | 1 NP PP | 1 ada
PP: 1 with NP
N: 2 girl | 1 scope
V: 1 saw
"""
CHAINS = """
S: 1 A | 1 A B S
A: 2 B | 1 a | 1 b A
B: 1 A | 2 b | 1 C C C
C: 1 a | 1 c
"""


def random_grammar(seed):
    """Symbols of up to four alternatives with one to three parts, all of which may be circular."""
    rng = np.random.default_rng(seed)
    symbols, words = ["S", "A", "B", "C"][: rng.integers(2, 5)], ["x", "y", "z"]
    lines = []
    for symbol in symbols:
        options = {tuple(rng.choice(symbols + words, rng.integers(1, 4))) for _ in range(rng.integers(1, 4))}
        options |= {(str(rng.choice(words)),)}
        lines.append(
            f"{symbol}: " + " | ".join(f"{rng.integers(1, 9)} {' '.join(o)}" for o in sorted(options))
        )
    return PCFG.parse("\n".join(lines))


def every_tree(grammar, words, symbol, times=1, chain=()):
    """All trees of the words, by trying every cut; a chain of single parts has a symbol at most so often."""
    if chain.count(symbol) == times:
        return
    for parts in grammar.rules[symbol]:
        above = (*chain, symbol) if len(parts) == 1 else ()
        for found in every_row(grammar, words, parts, times, above):
            yield (symbol, *found)


def every_row(grammar, words, parts, times, chain):
    if not parts:
        if not words:
            yield ()
        return
    first, *rest = parts
    last = len(words) - len(rest)
    for cut in range(1 if rest else max(1, last), last + 1):
        if first in grammar.rules:
            firsts = every_tree(grammar, words[:cut], first, times, chain)
        else:
            firsts = [first] if words[:cut] == (first,) else []
        for one in firsts:
            for row in every_row(grammar, words[cut:], tuple(rest), times, ()):
                yield (one, *row)


def leaves(tree):
    return [word for part in tree[1:] for word in ([part] if isinstance(part, str) else leaves(part))]


@pytest.mark.parametrize("seed", range(16))
def test_cky_finds_the_best_of_all_trees(seed):
    grammar = random_grammar(seed)
    rng = random.Random(seed)
    for length in (1, 2, 3, 4):
        words = tuple(rng.choice("xyz") for _ in range(length))
        listed = [grammar.tree_log_prob(tree) for tree in every_tree(grammar, words, "S")]
        found = grammar.best_tree(words)
        if found is None:
            assert not listed
            continue
        tree, log_prob = found
        assert leaves(tree) == list(words) and tree[0] == "S"
        assert math.isclose(log_prob, grammar.tree_log_prob(tree), abs_tol=1e-9)
        assert math.isclose(log_prob, max(listed), abs_tol=1e-9)


@pytest.mark.parametrize(
    "text", ["saw", "ada saw", "ada saw the girl with the scope", "the girl saw ada saw"]
)
def test_the_inside_probability_is_the_sum_over_all_trees(text):
    grammar, words = PCFG.parse(SCOPE), tuple(text.split())
    listed = [math.exp(grammar.tree_log_prob(tree)) for tree in every_tree(grammar, words, "S")]
    assert math.isclose(grammar.log_prob(words), math.log(sum(listed)) if listed else -math.inf, abs_tol=1e-9)


def test_circular_chains_are_summed_to_their_limit():
    grammar = PCFG.parse(CHAINS)
    for words in (("a",), ("b", "a"), ("a", "c", "a")):
        listed = [math.exp(grammar.tree_log_prob(tree)) for tree in every_tree(grammar, words, "S", times=5)]
        assert math.isclose(math.exp(grammar.log_prob(words)), sum(listed), rel_tol=1e-4)
        assert sum(listed) <= math.exp(grammar.log_prob(words)) * (1 + 1e-9)


def test_the_probabilities_of_all_sentences_of_a_finite_grammar_sum_to_one():
    grammar = PCFG.parse("S: 2 A A | 1 x A y\nA: 1 x | 3 x y | 2 y")
    sentences = {tuple(leaves(grammar.sample(random.Random(seed)))) for seed in range(400)}
    assert math.isclose(sum(math.exp(grammar.log_prob(words)) for words in sentences), 1.0)


def test_a_scope_goes_with_the_rule_that_is_more_probable():
    words = ["ada", "saw", "the", "girl", "with", "the", "scope"]
    to_verb, to_noun = PCFG.parse(SCOPE), PCFG.parse(SCOPE.replace("1 NP PP", "40 NP PP"))
    assert to_verb.best_tree(words)[0][2][3][0] == "PP"
    assert to_noun.best_tree(words)[0][2][2][0:2] == ("NP", ("NP", "the", ("N", "girl")))


def test_a_treebank_gives_back_the_grammar_that_drew_it():
    drawn, rng = PCFG.parse(SCOPE), random.Random(0)
    read = PCFG.from_trees(drawn.sample(rng) for _ in range(4000))
    for symbol, options in drawn.rules.items():
        for parts, probability in options.items():
            assert abs(read.rules[symbol][parts] - probability) < 0.05


def test_no_other_probabilities_of_a_symbol_fit_the_treebank_better():
    trees = [PCFG.parse(SCOPE).sample(random.Random(seed)) for seed in range(50)]
    best = PCFG.from_trees(trees)
    fit = sum(map(best.tree_log_prob, trees))
    for symbol, options in best.rules.items():
        if len(options) > 1:
            moved = {parts: 0.9 * p + 0.1 / len(options) for parts, p in options.items()}
            other = PCFG(best.rules | {symbol: moved}, "S")
            assert sum(map(other.tree_log_prob, trees)) <= fit + 1e-9


def test_a_long_sentence_does_not_underflow():
    grammar = PCFG.parse("S: 1 A S | 1 A\nA: " + " | ".join(f"1 w{n}" for n in range(40)))
    words = [f"w{n % 40}" for n in range(200)]
    found = grammar.best_tree(words[:40])
    assert math.isclose(grammar.log_prob(words[:40]), found[1], abs_tol=1e-6)
    assert math.isclose(grammar.log_prob(words), 200 * math.log(0.5 / 40), abs_tol=1e-6)


def test_what_the_grammar_cannot_say_has_no_tree():
    grammar = PCFG.parse(SCOPE)
    for words in ([], ["dog"], ["saw", "ada"], ["the"]):
        assert grammar.best_tree(words) is None and grammar.log_prob(words) == -math.inf
    assert grammar.tree_log_prob(("S", ("NP", "ada"))) == -math.inf


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PCFG({"S": {("x",): 1.0}}, "T"), "start 'T' has no rules"),
        (lambda: PCFG({"S": {("x",): 0.5}}, "S"), "probabilities of S must be positive and sum to 1"),
        (lambda: PCFG({"S": {("x",): 1.5, ("y",): -0.5}}, "S"), "must be positive"),
        (lambda: PCFG({"S": {}}, "S"), "probabilities of S"),
        (lambda: PCFG({"S": {(): 1.0}}, "S"), "S becomes nothing"),
        (lambda: PCFG.parse("S 1 x"), "should start with a new symbol and a colon"),
        (lambda: PCFG.parse("S: 1 x\nS: 1 y"), "should start with a new symbol"),
        (lambda: PCFG.parse("S: x y"), "'x y' should be a weight and its parts"),
        (lambda: PCFG.parse("S: 1 x | "), "should be a weight and its parts"),
        (lambda: PCFG.from_trees([]), "have none"),
        (lambda: PCFG.from_trees([("S", "x"), ("T", "y")]), r"one symbol on top; these have \['S', 'T'\]"),
    ],
)
def test_what_is_no_grammar_is_refused_in_words(make, message):
    with pytest.raises(ValueError, match=message):
        make()
