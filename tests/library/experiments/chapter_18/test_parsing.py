"""Parsers by translation: what they read and write, how they are scored, and what stands beside them."""

import math
from functools import cache

import pytest
import torch

from transformer_lib.data import SIGHTINGS, format_tree, leaves, preterminals, read_tree
from transformer_lib.experiments.chapter_18 import parsers, parsing
from transformer_lib.experiments.chapter_18.parsers import (
    Coder,
    ParserRecipe,
    Parts,
    build,
    fit,
    grammar_parses,
    measure,
    parse,
    scores,
    tags_as_words,
)
from transformer_lib.experiments.chapter_18.parsing import sightings

TINY = ParserRecipe(
    steps=(2, 4), rate=0.003, warmup=2, tokens=400, context_length=96, d_model=16, n_heads=2, n_layers=1
)


@cache
def few():
    parts = sightings(0)
    return Parts(parts.train[:60], parts.valid[:8], parts.test[:12])


def test_the_tokens_of_a_tree_are_read_back_with_its_words():
    parts = few()
    for reads in parsers.READS:
        coder = Coder(parts.train, reads)
        for tree in parts.train[:20]:
            source, target = coder.pair(tree)
            assert len(source) == len(leaves(tree))
            assert coder.tree([*target, 0, 0, 5], tree) == tree
            assert coder.tree(target[:-1], tree) is None
            assert coder.tree([], tree) is None


def test_a_word_that_training_has_not_is_unknown_and_its_tree_is_written_all_the_same():
    coder = Coder(few().train)
    tree = read_tree("(S (NP (NNP zoe)) (VP (VBD saw) (NP (NNP ada))))")
    source, target = coder.pair(tree)
    assert source[0] == 1 and coder.tree(target, tree) == tree


def test_what_is_no_tree_has_found_nothing_and_counts():
    trees = few().test
    perfect = scores(list(trees), trees)
    assert (perfect["f1"], perfect["exact"], perfect["trees"]) == (100.0, 100.0, 100.0)
    half = [tree if number % 2 else None for number, tree in enumerate(trees)]
    found = scores(half, trees)
    assert found["precision"] == 100.0 and found["recall"] < 100 and found["trees"] == 50.0


def test_an_untrained_parser_writes_trees_if_it_must():
    parts = few()
    coder = Coder(parts.train)
    model = build(coder, TINY, 0)
    free = parse(model, coder, parts.test)
    bound = parse(model, coder, parts.test, constrained=True, n_beams=2)
    assert scores(bound, parts.test)["trees"] == 100.0 > scores(free, parts.test)["trees"]
    assert all(preterminals(ours) == preterminals(tree) for ours, tree in zip(bound, parts.test))


def test_training_lowers_the_loss_and_a_seed_repeats_it():
    parts, losses = few(), []
    coder = Coder(parts.train)
    batch = parsers.PairBatches([coder.pair(tree) for tree in parts.train], 3000).batch(0)
    for _ in range(2):
        model = build(coder, TINY, 0).eval()
        losses.append(parsers.loss_of(model, batch).item())
        for _ in fit(model, coder, parts.train, TINY, 0):
            pass
        losses.append(parsers.loss_of(model.eval(), batch).item())
    assert losses[:2] == losses[2:] and losses[1] < losses[0]


@pytest.mark.parametrize("reads", parsers.READS)
def test_a_grammar_of_the_trees_parses_every_sentence_that_it_has_seen(reads):
    parts = few()
    trees = parts.train if reads == "words" else [tags_as_words(tree) for tree in parts.train]
    parses = grammar_parses(parsers.PCFG.from_trees(trees), parts.train[:10], reads)
    assert [preterminals(tree) for tree in parses] == [preterminals(tree) for tree in parts.train[:10]]
    assert grammar_parses(parsers.PCFG.from_trees(trees), parts.train[:10], reads, longest=2) == [None] * 10


def test_the_grammar_that_drew_the_sentences_has_a_tree_for_each_and_the_best_f1(without_type_checks):
    parts = sightings(0)
    parts = Parts(parts.train, parts.valid, parts.test[:60])
    found = {
        parser: measure(parts, TINY, 0, parser, "words", SIGHTINGS)
        for parser in ("treebank grammar", "right-branching", "true grammar")
    }
    assert found["true grammar"]["answered"] == 100.0
    assert found["true grammar"]["f1"] > found["treebank grammar"]["f1"] > found["right-branching"]["f1"]


def test_a_measurement_says_what_decoding_gained(tmp_path):
    found = measure(few(), TINY, 0, "Transformer", "words")
    assert found["constrained"]["trees"] == found["beams"]["trees"] == 100.0
    assert found["step"] in TINY.steps and len(found["curve"]) == 2
    assert len(found["outputs"]["parses"]) == 12
    assert all(math.isfinite(found[name]) for name in ("f1", "precision", "recall", "exact"))


def test_sightings_of_fewer_trees_are_the_first_of_the_many(without_type_checks):
    few_trees, many = sightings(1, 500), sightings(1, 4000)
    assert few_trees.train == many.train[:500] and few_trees.test == many.test
    assert format_tree(many.train[0]) != format_tree(sightings(2, 4000).train[0])


def test_every_condition_names_a_parser():
    for experiment in (parsing.EMBEDDED, parsing.GUM):
        assert {condition["parser"] for condition in experiment.conditions} <= set(parsers.PARSERS)
    assert torch.get_default_dtype() == torch.float32
