"""Every scoring with every weighting: the papers' formulas, masks, windows, and gradients."""

import math

import numpy as np
import pytest
import torch
from density_cases import randomize
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_lib.equations import garcia, papers
from transformer_lib.recurrent.alignment import SCORINGS, WEIGHTINGS, Alignment
from transformer_lib.transformer.attention import attention_weights
from transformer_lib.transformer.masks import Mask

every_scoring = pytest.mark.parametrize("scoring", SCORINGS)
every_weighting = pytest.mark.parametrize("weighting", WEIGHTINGS)


def window_of(weighting, window=2):
    return window if weighting.startswith("local") else None


def build(scoring="dot", weighting="soft", *, d=4, d_key=None, window=2, seed=0):
    alignment = Alignment(
        d,
        d if d_key is None else d_key,
        scoring=scoring,
        weighting=weighting,
        window=window_of(weighting, window),
    )
    return randomize(alignment, seed).double()


def inputs(batch=2, queries=3, keys=5, d=4, d_key=None, seed=0):
    generator = torch.Generator().manual_seed(seed)
    shape = {"generator": generator, "dtype": torch.float64}
    return torch.randn(batch, queries, d, **shape), torch.randn(batch, keys, d_key or d, **shape)


def assert_close(ours, expected):
    torch.testing.assert_close(ours, torch.as_tensor(expected), rtol=0, atol=1e-10)


@pytest.mark.proves("G2", "G3", "G4")
@settings(max_examples=25)
@given(st.integers(1, 6), st.integers(1, 5), st.integers(1, 5), st.integers(0, 999))
def test_soft_weights_of_dot_products_are_garcia_s(keys, queries, d, seed):
    query, h = inputs(1, queries, keys, d, seed=seed)
    context, weights = build("dot", d=d)(query, h)
    alpha = garcia.alignment_scores(h[0].numpy(), query[0].numpy())
    assert_close(weights[0].T, alpha)
    assert_close(context[0], garcia.attention_vectors(h[0].numpy(), alpha))
    assert_close(context[0], garcia.attention_values(query[0].numpy(), h[0].numpy()))


@pytest.mark.proves("G4", "G5")
@settings(max_examples=25)
@given(st.integers(1, 6), st.integers(1, 5), st.integers(2, 5), st.integers(0, 999))
def test_with_k_and_v_the_states_it_is_self_attention_s_formula_but_only_unscaled(keys, queries, d, seed):
    query, h = inputs(1, queries, keys, d, seed=seed)
    expected = garcia.self_attention(query[0].numpy(), h[0].numpy(), h[0].numpy())
    assert_close(build("dot", d=d)(query, h)[0][0], expected)
    context, weights = build("scaled-dot", d=d)(query, h)
    assert_close(weights, attention_weights(query, h))
    assert_close(
        context[0], garcia.self_attention(query[0].numpy() / math.sqrt(d), h[0].numpy(), h[0].numpy())
    )
    assert keys == 1 or not torch.allclose(context[0], torch.from_numpy(expected))


@pytest.mark.proves("bahdanau2015")
def test_the_additive_score_is_bahdanau_s():
    alignment = build("additive", d_key=3)
    query, keys = inputs(d_key=3)
    parts = alignment.query_projection, alignment.key_projection, alignment.score
    W, U, v = (part.weight.detach().numpy() for part in parts)
    scores = alignment.scores(query, alignment.project_keys(keys)).detach().numpy()
    for b, j, i in np.ndindex(scores.shape):
        expected = papers.additive_score(query[b, j].numpy(), keys[b, i].numpy(), W, U, v[0])
        assert scores[b, j, i] == pytest.approx(expected, abs=1e-10)


def test_the_general_score_is_a_bilinear_form():
    alignment = build("general", d_key=3)
    query, keys = inputs(d_key=3)
    W = alignment.key_projection.weight
    expected = torch.einsum("bjd,de,bie->bji", query, W, keys)
    assert_close(alignment.scores(query, alignment.project_keys(keys)), expected)


@every_scoring
def test_hard_weights_choose_the_highest_score_and_have_the_soft_weights_gradient(scoring):
    query, keys = inputs()
    query.requires_grad_()
    soft, hard = build(scoring), build(scoring, "hard")
    mask = Mask.from_key_lengths(torch.tensor([5, 2]))
    _, soft_weights = soft(query, keys, mask)
    context, weights = hard(query, keys, mask)
    assert torch.equal(weights.sort(dim=-1).values, torch.eye(5, dtype=torch.float64)[-1].expand(2, 3, 5))
    assert torch.equal(weights.argmax(dim=-1), soft_weights.argmax(dim=-1))
    assert torch.equal(context, keys.gather(1, weights.argmax(dim=-1)[..., None].expand(-1, -1, 4)))
    downstream = torch.randn(2, 3, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    ours, expected = (
        torch.autograd.grad((downstream * values).sum(), query)[0] for values in (weights, soft_weights)
    )
    assert_close(ours, expected)
    assert ours.any()


def test_among_equal_scores_hard_attention_takes_the_first_also_where_a_softmax_would_round():
    hard = Alignment(1, 1, scoring="dot", weighting="hard").double()
    ones, keys = torch.ones(1, 1, 1).double(), torch.tensor([[[0.5], [1.0], [1.0]]]).double()
    assert hard(ones, keys)[1].tolist() == [[[0, 1, 0]]]
    keys[0, 2, 0] = 1 + 1e-15
    assert hard(ones, keys)[1].tolist() == [[[0, 0, 1]]]


@every_scoring
@pytest.mark.parametrize("window", [1, 3])
def test_monotonic_windows_are_soft_attention_to_the_neighbors_of_the_query_s_place(scoring, window):
    query, keys = inputs(queries=4, keys=6)
    local, soft = build(scoring, "local-m", window=window), build(scoring)
    near = (torch.arange(6) - torch.arange(4)[:, None]).abs() <= window
    context, weights = local(query, keys)
    expected_context, expected = soft(query, keys, Mask.from_dense(near))
    assert_close(weights, expected)
    assert_close(context, expected_context)
    later = local(query[:, 2:], keys, positions=torch.tensor([[2, 3], [2, 3]]))[1]
    assert_close(later, weights[:, 2:])


def test_a_window_beyond_the_source_gives_zeros():
    local = build("dot", "local-m", window=1)
    query, keys = inputs(queries=5, keys=2)
    context, weights = local(query, keys)
    assert (weights[:, :3].sum(dim=-1) > 0.99).all()
    assert not weights[:, 3:].any() and not context[:, 3:].any()


def test_predicted_windows_are_luong_s():
    """Positions count from 1 as in the paper; a row's number of keys is its length."""
    local, soft = build("general", "local-p"), build("general")
    soft.load_state_dict(local.state_dict(), strict=False)
    query, keys = inputs(keys=7)
    lengths = torch.tensor([7, 4])
    weights = local(query, keys, Mask.from_key_lengths(lengths))[1]
    inner, _, outer = local.position
    scores = soft.scores(query, soft.project_keys(keys))
    for b in range(2):
        for j in range(3):
            p = lengths[b] * torch.sigmoid(outer.weight[0] @ torch.tanh(inner.weight @ query[b, j]))
            inside = [i for i in range(lengths[b]) if p - 2 <= i + 1 <= p + 2]
            align = scores[b, j, inside].softmax(dim=0)
            gauss = torch.tensor([math.exp(-((i + 1 - p.item()) ** 2) / (2 * (2 / 2) ** 2)) for i in inside])
            expected = torch.zeros(7, dtype=torch.float64)
            expected[inside] = (align * gauss).detach()
            torch.testing.assert_close(weights[b, j].detach(), expected, rtol=0, atol=1e-7)
    weights.sum().backward()
    assert outer.weight.grad.any()


@pytest.mark.slow
@every_scoring
@every_weighting
@settings(max_examples=10)
@given(
    st.integers(0, 3),
    st.integers(0, 4),
    st.lists(st.integers(0, 6), min_size=1, max_size=3),
    st.integers(0, 99),
)
def test_padding_and_empty_inputs_change_nothing_and_give_no_nan(
    scoring, weighting, queries, extra, lengths, seed
):
    alignment = build(scoring, weighting, seed=seed)
    query, keys = inputs(len(lengths), queries, max(lengths) + extra, seed=seed)
    query.requires_grad_()
    inside = torch.arange(keys.shape[1]) < torch.tensor(lengths)[:, None]
    keys = torch.where(inside[..., None], keys, torch.full_like(keys, 1e3))
    context, weights = alignment(query, keys, Mask.from_key_lengths(torch.tensor(lengths)))
    assert weights.shape == (len(lengths), queries, keys.shape[1])
    for row, length in enumerate(lengths):
        alone, alone_weights = alignment(query[row : row + 1], keys[row : row + 1, :length])
        assert_close(context[row], alone[0])
        assert_close(weights[row, :, :length], alone_weights[0])
        assert not weights[row, :, length:].any()
    context.sum().backward()
    assert query.grad.isfinite().all()


@every_scoring
@every_weighting
def test_keys_projected_beforehand_give_the_same(scoring, weighting):
    alignment = build(scoring, weighting)
    query, keys = inputs()
    for ours, expected in zip(
        alignment(query, keys, projected=alignment.project_keys(keys)), alignment(query, keys), strict=True
    ):
        assert torch.equal(ours, expected)


@every_weighting
def test_a_query_that_a_dense_mask_leaves_nothing_gets_zeros(weighting):
    query, keys = inputs()
    allowed = torch.ones(2, 3, 5, dtype=torch.bool)
    allowed[1, 2] = False
    context, weights = build("dot", weighting)(query, keys, Mask.from_dense(allowed))
    assert not context[1, 2].any() and not weights[1, 2].any()
    assert weights[0, 0].any()


@every_scoring
def test_a_generator_alone_fixes_the_initial_weights(scoring):
    def weights(seed):
        before = torch.get_rng_state()
        generator = torch.Generator().manual_seed(seed)
        alignment = Alignment(4, 4, scoring=scoring, weighting="local-p", window=1, generator=generator)
        assert torch.equal(before, torch.get_rng_state())
        return torch.nn.utils.parameters_to_vector(alignment.parameters())

    assert torch.equal(weights(0), weights(0))
    assert not torch.equal(weights(0), weights(1))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"scoring": "cosine"}, "scoring 'cosine' is not one of 'dot', 'scaled-dot', 'general', 'additive'"),
        ({"weighting": "local"}, "weighting 'local' is not one of 'soft', 'hard', 'local-m', 'local-p'"),
        ({"weighting": "local-m"}, "must be a positive whole number, got None"),
        ({"weighting": "local-p", "window": 0}, "must be a positive whole number, got 0"),
        ({"window": 2}, "weighting 'soft' sees all keys: leave out the window, got 2"),
        ({"scoring": "dot", "d_key": 3}, "scoring 'dot' needs d_query = d_key; got 4 and 3"),
    ],
)
def test_a_wrong_alignment_says_what_would_be_right(values, message):
    with pytest.raises(ValueError, match=message):
        Alignment(4, **({"d_key": 4} | values))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("weighting", ["local-m", "local-p"])
def test_windows_far_into_a_source_stand_where_they_do_in_float32(weighting, dtype):
    alignment = Alignment(2, 2, scoring="dot", weighting=weighting, window=1)
    randomize(alignment)
    keys = torch.ones(1, 3101, 2)
    query, places = torch.ones(1, 1, 2), torch.tensor([[3001]])
    options = {"positions": places} if weighting == "local-m" else {}
    _, exact = alignment(query, keys, **options)
    _, weights = alignment.to(dtype)(query.to(dtype), keys.to(dtype), **options)
    seen, rounded = (torch.nonzero(one[0, 0]).flatten() for one in (exact, weights))
    assert weights.dtype == dtype
    if weighting == "local-m":
        assert seen.tolist() == rounded.tolist() == [3000, 3001, 3002]
    else:
        assert len(rounded) == len(seen) and (rounded - seen).abs().max() <= 0.01 * 3101


def test_a_mask_that_does_not_fit_is_refused(without_type_checks):
    alignment, (query, keys) = build(), inputs(batch=1, queries=2, keys=4)
    with pytest.raises(ValueError, match="does not broadcast"):
        alignment(query, keys, Mask.from_key_lengths(torch.tensor([4, 4, 4])))
    with pytest.raises(TypeError, match="must be a Mask or None; got a Tensor"):
        alignment(query, keys, torch.ones(2, 4, dtype=torch.bool))
