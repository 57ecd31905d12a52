"""A mask says what may attend to what, and says it the same however it was put together."""

import hypothesis.strategies as st
import jaxtyping
import pytest
import torch
from hypothesis import given
from mask_cases import masks

from transformer_lib.transformer.attention import kernel_form
from transformer_lib.transformer.masks import Mask


def allowed_by_definition(mask, batch, heads, queries, keys):
    allowed = torch.zeros(batch, heads, queries, keys, dtype=torch.bool)
    dense = None if mask.dense is None else mask.dense.expand(batch, heads, queries, keys)
    for b, h, i, j in torch.cartesian_prod(*map(torch.arange, allowed.shape)).tolist():
        causal = not mask.is_causal or j <= i + keys - queries
        inside = mask.key_lengths is None or j < mask.key_lengths[b]
        near = mask.reach is None or i + keys - queries - j < mask.reach
        allowed[b, h, i, j] = causal and near and bool(inside) and (dense is None or bool(dense[b, h, i, j]))
    return allowed


@given(st.data(), st.integers(1, 3), st.integers(1, 4), st.integers(1, 4))
def test_the_dense_form_is_the_definition(data, batch, queries, keys):
    mask = data.draw(masks(batch, queries, keys))
    dense = mask.to_dense(queries, keys)
    expected = allowed_by_definition(mask, batch, 2, queries, keys)
    if dense is None:
        assert expected.all()
    else:
        assert torch.equal(dense.expand(batch, 2, queries, keys), expected)


@given(st.data(), st.integers(1, 3), st.integers(1, 4))
def test_and_allows_what_both_allow_in_either_order(data, batch, time):
    first, second = data.draw(masks(batch, time, time)), data.draw(masks(batch, time, time))
    shape = (batch, 2, time, time)
    both = allowed_by_definition(first, *shape) & allowed_by_definition(second, *shape)
    assert torch.equal(allowed_by_definition(first & second, *shape), both)
    assert torch.equal(allowed_by_definition(second & first, *shape), both)


def test_a_full_mask_has_no_dense_form():
    assert Mask.full().to_dense(3, 5) is None


def test_causal_queries_are_the_last_positions_when_keys_outnumber_them():
    expected = torch.tensor([[1, 1, 1, 0], [1, 1, 1, 1]], dtype=torch.bool)
    assert torch.equal(Mask.causal().to_dense(2, 4), expected)


def test_a_causal_mask_stays_a_flag_in_either_order():
    for mask in (Mask.causal() & Mask.full(), Mask.full() & Mask.causal(), Mask.causal() & Mask.causal()):
        assert mask.is_causal and mask.key_lengths is None and mask.dense is None


def test_key_lengths_belong_to_the_first_dimension_of_the_scores():
    mask = Mask.from_key_lengths(torch.tensor([1, 3]))
    assert mask.to_dense(2, 3, ndim=3).shape == (2, 1, 3)
    assert mask.to_dense(2, 3, ndim=5).shape == (2, 1, 1, 1, 3)


def test_more_causal_queries_than_keys_are_refused():
    with pytest.raises(ValueError, match="at least as many keys as queries: 2 keys, 3 queries"):
        Mask.causal().to_dense(3, 2)


def test_key_lengths_without_a_batch_dimension_are_refused():
    with pytest.raises(ValueError, match="batch dimension"):
        Mask.from_key_lengths(torch.tensor([1])).to_dense(2, 2, ndim=2)


def test_a_dense_mask_of_other_lengths_is_refused():
    with pytest.raises(ValueError, match="for 2 queries and 3 keys, the input has 2 and 4"):
        Mask.from_dense(torch.ones(2, 3, dtype=torch.bool)).to_dense(2, 4)


def test_masks_for_different_batches_do_not_combine():
    with pytest.raises(ValueError, match="lengths for 1 and 2 sequences"):
        Mask.from_key_lengths(torch.tensor([1])) & Mask.from_key_lengths(torch.tensor([1, 2]))


def test_dense_masks_that_do_not_broadcast_do_not_combine():
    first, second = (Mask.from_dense(torch.ones(size, size, dtype=torch.bool)) for size in (2, 3))
    with pytest.raises(ValueError, match=r"\(2, 2\) and \(3, 3\) do not broadcast"):
        first & second


@given(window=st.integers(1, 6), queries=st.integers(1, 5), before=st.integers(0, 4))
def test_a_window_shows_each_query_itself_and_the_positions_just_before_it(window, queries, before):
    keys = before + queries
    allowed = Mask.window(window).to_dense(queries, keys)
    for i in range(queries):
        for j in range(keys):
            assert allowed[i, j] == (0 <= before + i - j < window)


def test_windows_compose_to_the_narrower_and_with_lengths():
    both = Mask.window(3) & Mask.from_key_lengths(torch.tensor([2])) & Mask.window(2) & Mask.causal()
    assert both.reach == 2 and both.is_causal
    expected = torch.tensor([[1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=torch.bool)
    assert torch.equal(both.to_dense(3, 3)[0, 0], expected)


def test_a_mask_takes_the_cheapest_form_that_says_the_same():
    causal, window = Mask.causal(), Mask.window(4)
    assert (kernel_form(Mask.full(), 3, 5), kernel_form(causal, 3, 3), kernel_form(causal, 1, 3)) == (
        "full",
        "causal",
        "full",
    )
    assert (kernel_form(causal, 2, 3), kernel_form(window, 3, 3), kernel_form(window, 4, 4)) == (
        "dense",
        "causal",
        "causal",
    )
    assert (kernel_form(window, 5, 5), kernel_form(window, 1, 5), kernel_form(window, 1, 4)) == (
        "dense",
        "dense",
        "full",
    )
    assert kernel_form(Mask.from_key_lengths(torch.tensor([3])), 3, 3) == "dense"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Mask.from_dense(torch.ones(2, 2)), r"must be Boolean, .*; got torch.float32, \(2, 2\)"),
        (lambda: Mask.from_dense(torch.tensor([True])), r"must be Boolean, .*; got torch.bool, \(1,\)"),
        (lambda: Mask.from_key_lengths(torch.tensor([1.5])), r"one integer per sequence; got torch.float32"),
        (lambda: Mask.from_key_lengths(torch.tensor(3)), r"one integer per sequence; got torch.int64, \(\)"),
        (
            lambda: Mask.from_dense(torch.ones(2, 3).bool().numpy()),
            "must be a tensor of torch, got a ndarray",
        ),
        (lambda: Mask.from_key_lengths([1, 2]), "key lengths must be a tensor of torch, got a list"),
        (lambda: Mask.window(0), "window must be a positive whole number, got 0"),
        (lambda: Mask.window(2.5), r"window must be a positive whole number, got 2\.5"),
    ],
)
def test_what_is_no_mask_is_refused_when_it_is_made(make, message):
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        with pytest.raises(ValueError, match=message):
            make()
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)
