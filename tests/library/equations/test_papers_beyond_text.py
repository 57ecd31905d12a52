"""Patches, grammars and brackets, literally: by hand, and against the library's own."""

import math
import random

import numpy as np
import pytest
import torch
from drawn import exactly as assert_close

from transformer_lib.density.pcfg import PCFG
from transformer_lib.equations import papers_beyond_text
from transformer_lib.metrics import bracket_f1
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.vision import CrossModalClassifier


def test_a_patch_is_read_row_by_row_and_so_are_the_patches():
    x = np.arange(16.0).reshape(4, 4)
    assert papers_beyond_text.patches(x, 2).tolist() == [
        [0, 1, 4, 5],
        [2, 3, 6, 7],
        [8, 9, 12, 13],
        [10, 11, 14, 15],
    ]
    assert papers_beyond_text.patches(x, 4).tolist() == [x.flatten().tolist()]
    assert papers_beyond_text.patches(x, 1).flatten().tolist() == x.flatten().tolist()


@pytest.mark.proves("dosovitskiy2021")
@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_the_classifier_s_patches_are_the_paper_s(size):
    config = TransformerConfig(5, 3, d_model=4, n_heads=2, n_layers=1)
    model = CrossModalClassifier(config, 3, 6, 12, size).double()
    seen = []
    model.image_stack.blocks[0].register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    image = torch.randn(1, 6, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        model(image, torch.zeros(1, 1, dtype=torch.long))
        positions = model.image_stack.positions
        n = 72 // size**2
        places = positions.embed(torch.zeros(1, n, 4, dtype=torch.float64))[0]
        bias = 0 if model.patch_embedding.bias is None else model.patch_embedding.bias
        literal = papers_beyond_text.patch_embeddings(
            image[0].numpy(), model.patch_embedding.weight.T.numpy(), (places + bias).numpy()
        )
    assert_close(seen[0][0], torch.from_numpy(literal))


def normal_form(seed):
    """A random grammar in Chomsky normal form: its rules, and the same as a `PCFG`."""
    rng = np.random.default_rng(seed)
    rules, lines = {}, {}
    for A in "SAB":
        options = {(str(rng.choice(list("AB"))), str(rng.choice(list("AB")))) for _ in range(3)}
        options = sorted(options) + [(w,) for w in "xy"]
        weights = rng.integers(1, 9, len(options))
        lines[A] = {parts: weight / weights.sum() for parts, weight in zip(options, weights)}
        rules |= {(A, *parts): p for parts, p in lines[A].items()}
    return rules, PCFG(lines, "S")


@pytest.mark.proves("baker1979", "younger1967")
@pytest.mark.parametrize("seed", range(12))
def test_the_library_s_chart_is_the_recursion(seed):
    rules, grammar = normal_form(seed)
    rng = random.Random(seed)
    for length in (1, 2, 3, 5):
        words = [rng.choice("xy") for _ in range(length)]
        inside = papers_beyond_text.inside_probability(words, rules, "S")
        best = papers_beyond_text.best_tree_probability(words, rules, "S")
        assert 0 < best <= inside * (1 + 1e-12)
        assert math.isclose(math.exp(grammar.log_prob(words)), inside, rel_tol=1e-9)
        assert math.isclose(math.exp(grammar.best_tree(words)[1]), best, rel_tol=1e-9)


@pytest.mark.proves("black1991")
@pytest.mark.parametrize("seed", range(12))
def test_the_library_s_score_of_one_sentence_is_the_definition(seed):
    rng = random.Random(seed)
    one, other = (
        [(rng.choice("AB"), begin, begin + rng.randint(1, 2)) for begin in (0, 0, 1, 1, 2)] for _ in range(2)
    )
    literal, found = papers_beyond_text.labeled_f1(one, other), bracket_f1([one], [other])
    assert math.isclose(literal["P"], found.precision) and math.isclose(literal["R"], found.recall)
    assert math.isclose(literal["F1"], found.f1)
