"""Units, intervals that cover what they say, and the scores of translations and parses by hand."""

import math
import sys

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from scipy.stats import ttest_ind

from transformer_lib.metrics import (
    bits,
    bits_per_dim,
    bleu,
    bracket_f1,
    cross_entropy,
    exact_match,
    mean_and_interval,
    paired_interval,
    perplexity,
    student_t_quantile,
    unpaired_interval,
)


def test_a_uniform_choice_of_eight_costs_three_bits_and_has_perplexity_eight():
    nats = cross_entropy([math.log(1 / 8)] * 5)
    assert nats == pytest.approx(math.log(8))
    assert bits(nats) == pytest.approx(3)
    assert perplexity(nats) == pytest.approx(8)


def test_bits_per_dim_shares_the_bits_of_an_image_among_its_pixels():
    assert bits_per_dim(64 * math.log(2), 64) == pytest.approx(1)
    assert bits_per_dim(64 * math.log(2), 16) == pytest.approx(4)


def test_cross_entropy_is_the_same_for_lists_arrays_and_tensors_of_any_shape():
    values = torch.tensor([[-1.0, -2.0], [-3.0, -6.0]], requires_grad=True)
    for same in (values, values.detach().numpy(), [-1, -2, -3, -6]):
        assert cross_entropy(same) == 3


def test_an_impossible_token_makes_cross_entropy_and_perplexity_infinite():
    assert cross_entropy([-1.0, -math.inf]) == math.inf
    assert perplexity(math.inf) == math.inf


def test_a_perplexity_too_large_for_a_float_is_infinite():
    assert perplexity(1e4) == math.inf


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [
        (1, 12.706204736),
        (2, 4.302652730),
        (3, 3.182446305),
        (4, 2.776445105),
        (5, 2.570581836),
        (10, 2.228138852),
        (30, 2.042272456),
        (100, 1.983971519),
    ],
)
def test_student_s_quantile_is_the_tables_at_95_percent(degrees, quantile):
    assert student_t_quantile(0.95, degrees) == pytest.approx(quantile, abs=1e-8)


@pytest.mark.parametrize("confidence", [1e-6, 0.1, 0.5, 0.9, 0.99, 0.999999])
def test_student_s_quantile_has_closed_forms_at_one_and_two_degrees(confidence):
    one = math.tan(math.pi * confidence / 2)
    two = confidence * math.sqrt(2 / (1 - confidence**2))
    assert student_t_quantile(confidence, 1) == pytest.approx(one, rel=1e-8)
    assert student_t_quantile(confidence, 2) == pytest.approx(two, rel=1e-8)


@pytest.mark.parametrize("degrees", [100_000, 100_001])
def test_student_s_quantile_tends_to_the_normal_s(degrees):
    z = 1.959963984540054
    first_correction = (z**3 + z) / (4 * degrees)
    assert student_t_quantile(0.95, degrees) == pytest.approx(z + first_correction, abs=1e-8)


def test_an_interval_is_the_mean_and_student_s_multiple_of_the_standard_error():
    interval = mean_and_interval([1.0, 2.0, 3.0, 4.0])
    standard_error = math.sqrt(5 / 3) / 2
    assert interval.mean == 2.5
    assert interval.half_width == pytest.approx(3.182446305 * standard_error, abs=1e-8)
    assert (interval.low + interval.high) / 2 == pytest.approx(2.5)
    assert (interval.n, interval.confidence) == (4, 0.95)
    assert str(interval) == "2.500 [0.446, 4.554]"


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_intervals_cover_the_true_mean_as_often_as_they_say(confidence):
    samples = np.random.default_rng(0).normal(3.0, 2.0, size=(2000, 5))
    intervals = [mean_and_interval(sample, confidence) for sample in samples]
    covered = np.mean([interval.low <= 3.0 <= interval.high for interval in intervals])
    tolerance = 4 * math.sqrt(confidence * (1 - confidence) / len(samples))
    assert covered == pytest.approx(confidence, abs=tolerance)


def test_pairing_finds_a_difference_that_separate_intervals_hide():
    rng = np.random.default_rng(0)
    easy_or_hard = rng.normal(0, 10, size=50)
    a = easy_or_hard + 0.5 + rng.normal(0, 0.1, size=50)
    alone_a, alone_b = mean_and_interval(a), mean_and_interval(easy_or_hard)
    assert alone_a.low < alone_b.high
    difference = paired_interval(a, easy_or_hard)
    assert 0 < difference.low < 0.5 < difference.high
    assert difference.mean == pytest.approx(alone_a.mean - alone_b.mean)


@given(
    st.lists(st.floats(-50, 50), min_size=2, max_size=6),
    st.lists(st.floats(-50, 50), min_size=2, max_size=6),
    st.sampled_from([0.8, 0.95]),
)
def test_the_interval_of_unpaired_groups_is_scipy_s_after_welch(a, b, confidence):
    # SciPy calls groups that hardly vary a loss of precision
    assume(np.var(a) > 1e-6 and np.var(b) > 1e-6)
    found = unpaired_interval(a, b, confidence)
    theirs = ttest_ind(a, b, equal_var=False).confidence_interval(confidence)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=1e-6, abs=1e-9)
    assert found.mean == pytest.approx(np.mean(a) - np.mean(b)) and found.n == len(a) + len(b)
    swapped = unpaired_interval(b, a, confidence)
    assert (swapped.low, swapped.high) == pytest.approx((-found.high, -found.low))


def test_unpaired_groups_without_any_spread_differ_exactly():
    found = unpaired_interval([2.0, 2.0], [1.0, 1.0, 1.0])
    assert (found.low, found.mean, found.high) == (1.0, 1.0, 1.0)


def test_exact_match_is_the_share_of_equal_answers():
    assert exact_match(["one", "two", "Three", ""], ["one", "two", "three", ""]) == 0.75
    assert exact_match([[1, 2], [1, 2]], [[1, 2], [1, 2, 3]]) == 0.5
    assert exact_match(["a"], ["b"]) == 0


def test_bleu_is_the_geometric_mean_of_the_shares_of_known_n_grams():
    # 5 of 6 words, 3 of 5 pairs, 2 of 4 triples and 1 of 3 quadruples of the hypothesis are in the reference.
    result = bleu(["the cat sat on the mat"], ["the cat sat on a mat"])
    assert result.score == pytest.approx(100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25)
    assert "nrefs:1" in result.signature and "tok:13a" in result.signature
    assert str(result) == f"53.73 ({result.signature})"


def test_bleu_counts_n_grams_over_the_corpus_and_punishes_brevity():
    hypotheses, references = ["a b c d e", "a b c d e f g"], ["a b c d e f g h", "a b c d e f g"]
    assert bleu(hypotheses, references).score == pytest.approx(100 * math.exp(1 - 15 / 12))
    assert bleu(references, references).score == pytest.approx(100)
    assert bleu([""], ["a"]).score == 0
    short = bleu(["a b c"], ["a b c"])
    assert short.score == 0 and "eff:no" in short.signature, "three words have no quadruple that is right"


def test_the_interval_of_bleu_shrinks_with_the_number_of_pairs_and_is_the_same_again():
    """Each pair has one wrong word, at a random place; four times the pairs have half of the interval."""
    rng = np.random.default_rng(0)
    references = [" ".join(rng.choice(list("abcdefghij"), 12)) for _ in range(400)]
    hypotheses = [
        " ".join("x" if place == n else word for n, word in enumerate(reference.split()))
        for reference, place in zip(references, rng.integers(12, size=400))
    ]
    few, many = bleu(hypotheses[:100], references[:100], 300), bleu(hypotheses, references, 300)
    assert few.score == bleu(hypotheses[:100], references[:100]).score
    assert few == bleu(hypotheses[:100], references[:100], 300), "the seed is fixed"
    assert 0.35 * few.half_width < many.half_width < 0.7 * few.half_width
    assert abs(few.score - many.score) < 2 * few.half_width
    assert bleu(references, references, 50).half_width == 0 and bleu(["a"], ["a"]).half_width is None


def test_bleu_without_its_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    with pytest.raises(ImportError, match=r"pip install '\.\[train\]'") as caught:
        bleu(["a"], ["a"])
    assert caught.value.name == "sacrebleu"


def test_brackets_are_right_when_label_and_words_are():
    reference = [("S", 0, 5), ("NP", 0, 2), ("VP", 2, 5), ("NP", 3, 5)]
    hypothesis = [("NP", 0, 2), ("S", 0, 5), ("VP", 3, 5), ("PP", 2, 5), ("X", 1, 2)]
    result = bracket_f1([hypothesis], [reference])
    assert (result.precision, result.recall) == (2 / 5, 2 / 4)
    assert result.f1 == pytest.approx(2 / (5 / 2 + 4 / 2))


def test_a_bracket_found_twice_is_right_as_often_as_the_reference_has_it():
    one, two, three = ([("NP", 0, 2)] * n for n in (1, 2, 3))
    assert bracket_f1([three], [two]).precision == 2 / 3
    assert bracket_f1([one], [two]).recall == 1 / 2


def test_brackets_are_counted_over_the_corpus_and_not_averaged_over_sentences():
    hypotheses = [[("S", 0, 1)], [("S", 0, 9), ("A", 0, 1), ("B", 1, 2)]]
    references = [[("S", 0, 1)], [("S", 0, 8), ("A", 0, 2), ("B", 1, 3)]]
    assert bracket_f1(hypotheses, references).f1 == 1 / 4
    moved = bracket_f1(hypotheses[::-1], references)
    assert moved.f1 == 0


def test_a_side_without_brackets_scores_zero():
    result = bracket_f1([[], []], [[("S", 0, 1)], []])
    assert (result.precision, result.recall, result.f1) == (0, 0, 0)
    assert bracket_f1([[("S", 0, 1)]], [[]]).f1 == 0


spans = st.lists(
    st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 2), st.integers(2, 3)), max_size=5), min_size=1
)


@given(spans, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_f1_is_the_harmonic_mean_symmetric_and_blind_to_the_order(trees, random):
    others = [[*random.sample(tree, len(tree) // 2), ("A", 0, 2)] for tree in trees]
    result = bracket_f1([iter(tree) for tree in trees], others)
    mirrored = bracket_f1(others, trees)
    assert (mirrored.precision, mirrored.recall, mirrored.f1) == (result.recall, result.precision, result.f1)
    if result.f1:
        harmonic = 2 / (1 / result.precision + 1 / result.recall)
        assert result.f1 == pytest.approx(harmonic)
    perfect = bracket_f1([random.sample(tree, len(tree)) for tree in others], others)
    assert perfect.precision == perfect.recall == perfect.f1 == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: exact_match([], []), "nothing to compare"),
        (lambda: exact_match(["a"], []), "got 1 hypotheses and 0 references"),
        (lambda: bleu([], []), "nothing to compare"),
        (lambda: bleu(["a"], ["a"], 1), "n_resamples must be 0, for no interval, or at least 2; got 1"),
        (lambda: bleu(["a"], ["a"], -5), "n_resamples must be 0, .*; got -5"),
        (lambda: bleu("one", "one"), "got a single string"),
        (lambda: bracket_f1([], []), "nothing to compare"),
        (lambda: bracket_f1([[]], [[], []]), "got 1 hypotheses and 2 references"),
        (lambda: bracket_f1([[]], [[]]), "neither side has any"),
        (lambda: bracket_f1([[], [("S", 2, 1)]], [[], []]), r"start <= end; sentence 1 has \('S', 2, 1\)"),
        (lambda: bracket_f1([[("S", -1, 1)]], [[]]), r"sentence 0 has \('S', -1, 1\)"),
        (lambda: cross_entropy([]), "no tokens"),
        (lambda: mean_and_interval([1.0]), r"at least two values.*\(1,\)"),
        (lambda: mean_and_interval(np.ones((2, 2))), r"\(2, 2\)"),
        (lambda: mean_and_interval([1.0, math.nan, 2.0]), "nan at index 1"),
        (lambda: paired_interval([1.0, 2.0], [1.0, 2.0, 3.0]), r"\(2,\) and \(3,\)"),
        (lambda: unpaired_interval([1.0, 2.0], [1.0]), r"at least two values.*\(1,\)"),
        (lambda: mean_and_interval([1.0, 2.0], confidence=95.0), "strictly between 0 and 1; got 95"),
        (lambda: student_t_quantile(0.95, 0), "at least one degree"),
        (lambda: bits_per_dim(1.0, 0), "must be positive; got 0"),
    ],
)
def test_what_has_no_answer_is_refused_in_words(call, message):
    with pytest.raises(ValueError, match=message):
        call()
