"""Each scheme of positions keeps its promise: what it depends on, where it starts, and how far it reaches."""

import copy
import io
import math

import hypothesis.strategies as st
import pytest
import torch
from density_cases import randomize
from drawn import generator, normal
from hypothesis import given, settings
from torch.testing import assert_close

from transformer_lib.transformer.attention import MultiHeadAttention, attention
from transformer_lib.transformer.config import PLACES, POSITIONS, TransformerConfig
from transformer_lib.transformer.encoder_decoder import Encoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.position_hooks import LearnedPositions, Positions
from transformer_lib.transformer.positions import (
    AlibiPositions,
    FixedTable,
    GehringPositions,
    JointPositions,
    OneHotPositions,
    RelativePositions,
    RelativeValuesPositions,
    RotaryPositions,
    SinusoidalPositions,
    alibi_slopes,
    sinusoids,
)

N, D, HEADS = 7, 6, 3
SCHEMES = {
    "none": Positions,
    "one-hot": lambda **g: OneHotPositions(N, D, **g),
    "joint": lambda **g: JointPositions(N, D, 4, **g),
    "gehring": lambda **g: GehringPositions(N, D, 5, **g),
    "sinusoidal": lambda: SinusoidalPositions(N, D),
    "learned": lambda **g: LearnedPositions(N, D, **g),
    "relative": lambda **g: RelativePositions(HEADS, D, 3, **g),
    "relative-values": lambda **g: RelativeValuesPositions(HEADS, D, 3, **g),
    "rotary": lambda: RotaryPositions(N, D),
    "alibi": lambda: AlibiPositions(HEADS),
}
DRAWN = [name for name, scheme in SCHEMES.items() if list(scheme().parameters())]
FIXED = [name for name, scheme in SCHEMES.items() if isinstance(scheme(), FixedTable)]
LIMITED = [name for name, scheme in SCHEMES.items() if scheme().n_positions is not None]

every_scheme = pytest.mark.parametrize("name", POSITIONS)


def made(name):
    return SCHEMES[name](**({"generator": generator()} if name in DRAWN else {})).double()


def model(name, **changes):
    """An encoder, which sees all positions."""
    shape = {"vocab_size": 5, "context_length": N, "d_model": D, "n_heads": HEADS, "n_layers": 1}
    return randomize(Encoder(TransformerConfig(**shape | changes, positions=name))).double().eval()


def hooks(scheme, x, start=0):
    """All that a scheme does to ``x``, taken as embedded tokens and as the queries and keys of heads."""
    heads = x[:, None].expand(-1, HEADS, -1, -1)
    query, key = scheme.rotate(heads, heads + 1, start)
    bias = scheme.score_bias(heads, start + x.shape[1], start)
    return scheme.embed(x, start), query, key, x.new_zeros(1) if bias is None else bias


def gathered(scheme, queries, keys, mask=None):
    """What the last of the keys' positions receive from values of ones, which keep their sum."""
    query, key = normal(2, HEADS, keys, D, seed=1)[:, :, keys - queries :], normal(2, HEADS, keys, D, seed=2)
    return (scheme.gather or attention)(query, key, torch.ones_like(key), mask)


def test_every_scheme_acts_in_one_place():
    assert set(SCHEMES) == set(POSITIONS), "each row of POSITIONS needs a line in SCHEMES"
    x = normal(2, 4, D)
    for name in POSITIONS:
        embedded, query, key, bias = hooks(made(name), x)
        heads = x[:, None].expand(-1, HEADS, -1, -1)
        moved = [not torch.equal(embedded, x), not torch.equal(query, heads), bias.any().item()]
        assert moved[1] == (not torch.equal(key, heads + 1))
        assert sum(moved) == (name != "none")
        result = gathered(made(name), 5, 5)
        on_values = not torch.allclose(result, torch.ones_like(result))
        assert POSITIONS[name].acts_on == PLACES[(moved.index(True) if any(moved) else 0) + on_values]


@pytest.mark.slow
@pytest.mark.parametrize("mask", [None, Mask.causal()], ids=["full", "causal"])
@given(queries=st.integers(0, 4), keys=st.integers(0, 8))
def test_the_last_queries_gather_what_they_gather_among_all(mask, queries, keys):
    for name in POSITIONS:
        whole, scheme = gathered(made(name), keys, keys, mask), made(name)
        last = gathered(scheme, min(queries, keys), keys, mask)
        assert_close(last, whole[:, :, keys - min(queries, keys) :], rtol=0, atol=1e-13)


def test_a_query_that_may_attend_to_nothing_gathers_no_vector_of_a_distance():
    blind = Mask.from_dense(torch.tensor([[True, True, True], [False, False, False], [True, True, True]]))
    result = gathered(made("relative-values"), 3, 3, blind)
    assert not result[:, :, 1].any() and result[:, :, 0].all()


def test_dropped_weights_take_their_value_and_its_distance_s_vector_with_them():
    scheme, zeros = made("relative-values"), normal(1, HEADS, 6, D) * 0
    with torch.no_grad():
        scheme.value_vectors.fill_(1.0)
    for seed in range(5):
        torch.manual_seed(seed)
        result = scheme.gather(zeros, zeros, zeros - 1, dropout=0.5)
        assert_close(result, torch.zeros_like(result))


@pytest.mark.slow
@every_scheme
@given(st.integers(0, N), st.integers(0, N), st.integers(1, 3))
@settings(max_examples=20)
def test_what_starts_later_is_treated_as_the_end_of_the_whole(name, start, time, batch):
    scheme, time = made(name), min(time, N - start)
    x = normal(batch, start + time, D)
    for whole, part in zip(hooks(scheme, x), hooks(scheme, x[:, start:], start)):
        expected = whole if whole.ndim == 1 else whole[..., start:, :]
        assert_close(part, expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", LIMITED)
@pytest.mark.parametrize("start", [0, 3, N])
def test_positions_beyond_the_last_are_refused_with_both_numbers(name, start):
    scheme = made(name)
    hooks(scheme, normal(1, N - start, D), start)
    x = normal(1, N + 1 - start, D)
    with pytest.raises(ValueError, match=rf"{type(scheme).__name__} has {N} positions; got {N + 1}"):
        if name == "rotary":
            scheme.rotate(x[None], x[None], start)
        else:
            scheme.embed(x, start)


@pytest.mark.parametrize("name", ["none", "relative", "relative-values", "alibi"])
def test_schemes_of_distances_have_no_last_position(name):
    assert made(name).n_positions is None
    hooks(made(name), normal(1, 20, D), 10)


def test_one_hot_positions_are_the_concatenation_with_the_basis_vector_and_a_linear_map():
    scheme, x = made("one-hot"), normal(2, 4, D)
    extended = torch.cat([x, torch.eye(N, dtype=x.dtype)[1:5].expand(2, -1, -1)], dim=-1)
    W = torch.cat([scheme.features.weight, scheme.table.weight.T], dim=1)
    assert_close(scheme.embed(x, 1), extended @ W.T)


def test_joint_positions_mix_input_and_position_and_gehring_s_do_not():
    """The difference that a position makes depends on the input only where both meet before the ReLU."""
    x, other = normal(1, 1, D), normal(1, 1, D, seed=1)
    for name, depends in (("joint", True), ("gehring", False), ("one-hot", False), ("learned", False)):
        scheme = randomize(made(name))
        steps = [scheme.embed(z, 4) - scheme.embed(z, 0) for z in (x, other)]
        assert torch.allclose(*steps) != depends


@given(st.integers(0, N - 1), st.integers(0, N - 1), st.integers(0, N - 1), st.integers(0, 50))
def test_rotary_scores_depend_on_offsets_alone_and_lengths_stay(i, j, shift, seed):
    scheme, (q, k) = made("rotary"), normal(2, 1, 1, 1, D, seed=seed)

    def score(i, j):
        query, key = scheme.rotate(q, q, i)[0], scheme.rotate(k, k, j)[1]
        assert_close(query.norm(), q.norm())
        return (query @ key.mT).item()

    shift = min(shift, N - 1 - max(i, j))
    assert_close(score(i + shift, j + shift), score(i, j), rtol=0, atol=1e-12)
    if i != j:
        assert abs(score(i, j) - score(i, i)) > 1e-9


def test_rotary_positions_turn_pairs_as_complex_numbers():
    scheme, x = made("rotary"), normal(1, 1, N, D)
    frequency = 10000.0 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)
    angle = torch.arange(N, dtype=torch.float64)[:, None] * frequency
    turned = torch.view_as_complex(x.unflatten(-1, (-1, 2))) * torch.polar(torch.ones_like(angle), angle)
    assert_close(scheme.rotate(x, x)[0], torch.view_as_real(turned).flatten(-2))


def diagonals_are_constant(bias):
    return torch.equal(bias[..., 1:, 1:], bias[..., :-1, :-1])


@given(st.integers(1, 6), st.integers(0, 5))
def test_biases_for_one_and_the_same_query_are_constant_along_diagonals(queries, start):
    query = normal(2, HEADS, 1, D).expand(-1, -1, queries, -1)
    for name in ("relative", "relative-values", "alibi"):
        bias = made(name).score_bias(query, start + queries, start)
        assert diagonals_are_constant(bias) and bias.shape[1:] == (HEADS, queries, start + queries)


def test_alibi_falls_with_the_distance_in_both_directions_at_each_head_s_slope():
    bias = made("alibi").score_bias(normal(1, HEADS, 5, D), 5)[0]
    place = torch.arange(5.0, dtype=torch.float64)
    for head, slope in enumerate(alibi_slopes(HEADS)):
        assert torch.equal(bias[head], -slope * (place - place[:, None]).abs())


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("n_heads", [8, 12, 16])
def test_a_penalty_in_half_precision_is_the_float32_product_rounded_once(n_heads, dtype):
    scheme, length = AlibiPositions(n_heads).to(dtype), 1000
    bias = scheme.score_bias(normal(1, n_heads, 1, 4, dtype=dtype), length, length - 1)[0, :, 0]
    distances = torch.arange(length - 1, -1, -1, dtype=torch.float32)
    product = -alibi_slopes(n_heads).float()[:, None] * distances
    assert bias.dtype == dtype and torch.equal(bias, product.to(dtype))
    half_a_digit = torch.finfo(dtype).eps / 2
    exact = -alibi_slopes(n_heads)[:, None] * distances.double()
    assert ((bias.double() - exact).abs() <= (half_a_digit + 1e-6) * exact.abs()).all()
    by_distance = bias.flip(-1).double()
    assert (by_distance.diff() <= 0).all()
    apart = 1 + torch.arange(length) * torch.finfo(dtype).eps
    reached = (torch.arange(length) + apart.ceil()).long()
    near = reached < length
    assert (by_distance[:, reached[near]] < by_distance[:, :length][:, near]).all()


def test_the_slopes_of_powers_of_two_are_geometric_and_others_lie_between():
    assert_close(alibi_slopes(8), 2.0 ** -torch.arange(1.0, 9.0, dtype=torch.float64))
    assert alibi_slopes(1).tolist() == [2.0**-8]
    assert alibi_slopes(3).tolist() == [2.0**-4, 2.0**-8, 2.0**-2]
    for n_heads in range(1, 20):
        slopes = alibi_slopes(n_heads)
        assert len(slopes.unique()) == n_heads and (slopes > 0).all() and (slopes < 1).all()


def test_relative_positions_compare_the_query_with_the_vector_of_its_distance():
    scheme, query = made("relative"), normal(2, HEADS, 5, D)
    bias = scheme.score_bias(query, 5)
    for i in range(5):
        for j in range(5):
            vector = scheme.vectors[:, max(-3, min(3, j - i)) + 3]
            assert_close(bias[..., i, j], (query[:, :, i] * vector).sum(-1) / math.sqrt(D))


@pytest.mark.parametrize("name", FIXED)
def test_fixed_tables_are_exact_in_every_type_however_they_got_there(name):
    exact = made(name)._compute()
    scheme = SCHEMES[name]()
    for dtype in (torch.float64, torch.bfloat16, torch.bfloat16, torch.float32, torch.float16, torch.float64):
        scheme = scheme.to(dtype)
        kept = torch.promote_types(dtype, torch.float32) if name == "alibi" else dtype
        assert scheme.table.dtype == kept and torch.equal(scheme.table, exact.to(kept))


@pytest.mark.parametrize("name", FIXED)
def test_fixed_tables_are_made_where_a_model_leaves_the_meta_device(name):
    with torch.device("meta"):
        scheme = SCHEMES[name]()
    assert scheme.table.is_meta
    assert torch.equal(scheme.to_empty(device="cpu").table, SCHEMES[name]().table)
    assert torch.equal(scheme.to_empty(device="cpu").table, SCHEMES[name]().table), "also where it was"


@given(st.integers(0, 40), st.integers(1, 9))
def test_sinusoids_are_the_formula_in_float64(n, d):
    table = sinusoids(n, d)
    assert table.shape == (n, d) and table.dtype == torch.float64
    for k in range(n):
        for i in range(d):
            angle = k / 10000 ** ((i - i % 2) / d)
            assert abs(table[k, i] - (math.cos(angle) if i % 2 else math.sin(angle))) < 1e-14


@every_scheme
def test_state_dicts_hold_what_is_learned_and_no_fixed_table(name):
    scheme = made(name)
    assert set(scheme.state_dict()) == {name for name, _ in scheme.named_parameters()}
    assert bool(scheme.state_dict()) == (name in DRAWN)


@every_scheme
def test_copies_pickles_and_state_dicts_act_alike(name):
    scheme, x = randomize(made(name)), normal(2, 4, D)
    file = io.BytesIO()
    torch.save(scheme, file)
    file.seek(0)
    loaded = made(name)
    loaded.load_state_dict(scheme.state_dict())
    for other in (copy.deepcopy(scheme), torch.load(file, weights_only=False), loaded):
        for a, b in zip(hooks(scheme, x), hooks(other, x)):
            assert torch.equal(a, b)


@every_scheme
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_a_scheme_keeps_the_type_of_what_it_is_given(name, dtype):
    for result in hooks(made(name).to(dtype), normal(1, 3, D, dtype=dtype)):
        assert result.dtype == dtype and torch.isfinite(result).all()


@pytest.mark.parametrize("name", DRAWN)
def test_the_generator_decides_all_weights_and_the_global_one_is_left_alone(name):
    before = torch.get_rng_state()
    first, second, third = (SCHEMES[name](generator=generator(seed)) for seed in (1, 1, 2))
    assert torch.equal(torch.get_rng_state(), before)
    for a, b, c in zip(first.parameters(), second.parameters(), third.parameters()):
        assert torch.equal(a, b) and not torch.equal(a, c)


@pytest.mark.parametrize("name", [name for name in POSITIONS if POSITIONS[name].acts_on == "input"])
def test_at_the_start_tokens_come_through_as_large_as_they_were(name):
    config = TransformerConfig(65, 64, d_model=256, n_heads=4, n_layers=1, positions=name)
    lm = DecoderLM(config, generator=generator())
    x = lm.token_embedding(torch.arange(60)[None])
    told = lm.stack.positions.embed(x) - lm.stack.positions.embed(torch.zeros_like(x))
    assert 0.4 < told.var() / x.var() < 1.2


@given(order=st.permutations(range(5)), seed=st.integers(0, 20))
@settings(max_examples=10)
def test_without_positions_a_permutation_of_the_tokens_permutes_the_vectors(order, seed):
    encoder = model("none", n_layers=2)
    tokens = torch.randint(5, (2, 5), generator=generator(seed))
    assert_close(encoder(tokens[:, order]), encoder(tokens)[:, order])


@pytest.mark.parametrize("name", [name for name in POSITIONS if name != "none"])
def test_with_any_scheme_of_positions_order_matters_to_every_token(name):
    encoder = randomize(model(name), scale=0.5)
    tokens, order = torch.tensor([[0, 1, 2, 3, 4]]), [1, 2, 3, 4, 0]
    moved = (encoder(tokens[:, order]) - encoder(tokens)[:, order]).abs().amax(-1)
    assert (moved > 1e-6).all()


@pytest.mark.parametrize("name", ["relative", "rotary", "alibi"])
def test_schemes_of_distances_do_not_see_where_a_sequence_begins(name):
    """Not so with vectors of distances in the values: the first token has no distances before it."""
    encoder = model(name)
    alone = encoder(torch.full((1, 1), 3))
    assert_close(encoder(torch.full((1, 4), 3)), alone.expand(-1, 4, -1))


@pytest.mark.parametrize("name", ["learned", "sinusoidal", "one-hot", "joint", "gehring"])
def test_schemes_of_places_see_where_a_token_stands(name):
    encoded = model(name)(torch.full((1, 4), 3))
    assert ((encoded[:, 1:] - encoded[:, :-1]).abs().amax(-1) > 1e-6).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RotaryPositions(4, 3), "d_head must be even, got 3"),
        (lambda: RelativePositions(2, 4, 0), "max_distance must be at least 1; got 0"),
        (lambda: RelativeValuesPositions(2, 4, 3, d_value=0), "d_value must be at least 1; got 0"),
        (lambda: RelativePositions(2, 0, 3), "d_head must be at least 1; got 0"),
        (lambda: AlibiPositions(0), "n_heads must be at least 1; got 0"),
        (lambda: JointPositions(4, 4, 0), "d_out must be at least 1; got 0"),
        (lambda: OneHotPositions(4, 0), "d_in must be at least 1; got 0"),
    ],
)
def test_impossible_sizes_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("scheme", "message"),
    [
        (RotaryPositions(8, 2), "d_head=2; within attention it is 8"),
        (RotaryPositions(8, 16), "d_head=16; within attention it is 8"),
        (RelativePositions(1, 8, 4), "n_heads=1; within attention it is 2"),
        (RelativePositions(2, 4, 4), "d_head=4; within attention it is 8"),
        (RelativeValuesPositions(2, 8, 4, d_value=1), "d_value=1; within attention it is 8"),
        (AlibiPositions(4), "n_heads=4; within attention it is 2"),
        (LearnedPositions(8, 16), "LearnedPositions does nothing within attention"),
        (SinusoidalPositions(8, 16), "SinusoidalPositions does nothing within attention"),
    ],
)
def test_attention_refuses_a_scheme_of_another_shape_or_place(scheme, message):
    with pytest.raises(ValueError, match=message):
        MultiHeadAttention(16, 2, positions=scheme)


@pytest.mark.parametrize(
    ("scheme", "message"),
    [
        (RotaryPositions(8, 8), "RotaryPositions does nothing at the input of a stack"),
        (AlibiPositions(2), "AlibiPositions does nothing at the input of a stack"),
        (LearnedPositions(8, 1), "d_model=1; at the input of a stack it is 16"),
        (JointPositions(8, 8), "d_model=8; at the input of a stack it is 16"),
    ],
)
def test_a_stack_refuses_positions_of_another_shape_or_place(scheme, message):
    config = TransformerConfig(7, 8, d_model=16, n_heads=2, n_layers=1, positions="none")
    with pytest.raises(ValueError, match=message):
        DecoderLM(config, positions=scheme)
