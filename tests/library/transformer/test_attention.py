"""Attention's two paths are one function, and heads are PyTorch's own when given the same weights."""

from functools import partial

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from drawn import generator, normal
from hypothesis import given, settings
from mask_cases import masks
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.testing import assert_close

from transformer_lib.transformer.attention import (
    CrossAttention,
    MultiHeadAttention,
    attention,
    attention_weights,
    for_each_query_head,
)
from transformer_lib.transformer.config import POSITIONS, TransformerConfig
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.note_matrices import load_note_matrices, note_matrices


def value_and_gradients(function, *inputs):
    leaves = [tensor.clone().requires_grad_() for tensor in inputs]
    output = function(*leaves)
    output.backward(normal(*output.shape, seed=99, dtype=output.dtype))
    return output.detach(), *(leaf.grad for leaf in leaves)


sizes = st.integers(1, 5)


@pytest.mark.slow
@settings(max_examples=200)
@given(st.data(), st.integers(1, 3), sizes, sizes, sizes, sizes, st.sampled_from([None, 0.3, 1.0]))
def test_the_fused_and_the_readable_path_agree_forward_and_backward(
    data, batch, queries, keys, d_head, d_value, scale
):
    mask = data.draw(st.none() | masks(batch, queries, keys))
    query, key, value = (
        normal(batch, 2, time, width, seed=seed)
        for seed, (time, width) in enumerate([(queries, d_head), (keys, d_head), (keys, d_value)])
    )
    fused = value_and_gradients(lambda q, k, v: attention(q, k, v, mask, scale), query, key, value)
    readable = value_and_gradients(
        lambda q, k, v: attention_weights(q, k, mask, scale) @ v, query, key, value
    )
    for ours, theirs in zip(fused, readable):
        assert torch.isfinite(ours).all()
        assert_close(ours, theirs, rtol=1e-10, atol=1e-12)


@given(st.data(), st.integers(1, 3), sizes, sizes)
def test_weights_are_zero_where_forbidden_and_sum_to_one_where_anything_is_allowed(
    data, batch, queries, keys
):
    mask = data.draw(masks(batch, queries, keys))
    weights = attention_weights(normal(batch, 2, queries, 3), normal(batch, 2, keys, 3, seed=1), mask)
    allowed = mask.to_dense(queries, keys)
    allowed = torch.ones_like(weights, dtype=bool) if allowed is None else allowed.expand_as(weights)
    assert (weights[~allowed] == 0).all() and (weights >= 0).all()
    assert_close(weights.sum(-1), allowed.any(-1).double())


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("backend", [SDPBackend.MATH, SDPBackend.FLASH_ATTENTION])
def test_a_row_with_nothing_to_attend_to_gives_zeros_and_finite_gradients_on_every_backend(backend, dtype):
    dense = torch.tensor([[True, False, True], [False, False, False], [False, True, False]])
    mask = Mask.from_dense(dense) & Mask.from_key_lengths(torch.tensor([3, 0]))
    query, key, value = (normal(2, 2, 3, 4, seed=seed, dtype=dtype) for seed in range(3))
    with sdpa_kernel(backend):
        output, *gradients = value_and_gradients(lambda q, k, v: attention(q, k, v, mask), query, key, value)
    assert (output[0, :, 1] == 0).all() and (output[1] == 0).all() and (output[0, :, 0] != 0).all()
    for gradient in gradients:
        assert torch.isfinite(gradient).all() and (gradient[1] == 0).all() and gradient[0].any()


def test_without_any_keys_the_result_is_zero():
    query, key, value = normal(2, 3, 4), normal(2, 0, 4), normal(2, 0, 5)
    assert torch.equal(attention(query, key, value), torch.zeros(2, 3, 5, dtype=torch.float64))
    assert attention_weights(query, key).shape == (2, 3, 0)


def test_without_any_keys_both_paths_check_and_send_back_zeros():
    query = torch.randn(2, 2, 3, 4, requires_grad=True)
    key = torch.randn(2, 2, 0, 4)
    attention(query, key, key).sum().backward()
    assert torch.equal(query.grad, torch.zeros_like(query))
    with pytest.raises(ValueError, match="does not broadcast"):
        attention(query, key, key, Mask.from_key_lengths(torch.zeros(3, dtype=torch.long)))


def test_attention_needs_no_batch_or_head_dimension():
    query, key, value = normal(3, 4), normal(5, 4, seed=1), normal(5, 2, seed=2)
    batched = attention(query[None, None], key[None, None], value[None, None])
    assert_close(attention(query, key, value), batched[0, 0])


def test_a_causal_mask_keeps_the_fused_causal_kernel(monkeypatch):
    calls = []
    fused = nn.functional.scaled_dot_product_attention

    def recording(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, **options):
        calls.append((is_causal, attn_mask))
        return fused(query, key, value, attn_mask, dropout_p, is_causal, **options)

    monkeypatch.setattr(nn.functional, "scaled_dot_product_attention", recording)
    query, key = normal(1, 1, 3, 4), normal(1, 1, 3, 4)
    attention(query, key, key, Mask.causal() & Mask.full())
    attention(query[..., -1:, :], key, key, Mask.causal())
    assert calls == [(True, None), (False, None)]


def test_a_mask_for_another_batch_is_refused():
    query = normal(2, 1, 3, 4)
    mask = Mask.from_key_lengths(torch.tensor([1, 2, 3]))
    for path in (lambda: attention(query, query, query, mask), lambda: attention_weights(query, query, mask)):
        with pytest.raises(
            ValueError, match=r"\(3, 1, 1, 3\) does not broadcast to the scores' \(2, 1, 3, 3\)"
        ):
            path()


def test_dropout_drops_weights_and_rescales_the_rest():
    torch.manual_seed(0)
    query, value = torch.zeros(1, 1, 1, 4), torch.eye(4000)[None, None]
    mixed = attention(query, torch.zeros(1, 1, 4000, 4), value, dropout=0.25)
    kept = mixed != 0
    assert 0.72 < kept.double().mean() < 0.78
    assert_close(mixed[kept], torch.full_like(mixed[kept], 1 / 4000 / 0.75))


def torch_heads(ours, d_model, n_heads):
    theirs = nn.MultiheadAttention(
        d_model, n_heads, bias=ours.qkv.bias is not None, batch_first=True, dtype=torch.float64
    )
    names = {"in_proj_": ours.qkv, "out_proj.": ours.output}
    theirs.load_state_dict(
        {
            prefix + name: tensor
            for prefix, linear in names.items()
            for name, tensor in linear.state_dict().items()
        }
    )
    return theirs


def with_random_biases(module, seed=0):
    for name, parameter in module.named_parameters():
        if name.endswith("bias"):
            nn.init.normal_(parameter, generator=generator(seed))
    return module


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("form", ["full", "causal", "padded", "cross"])
def test_values_weights_and_gradients_are_those_of_torch_multihead_attention(form, bias):
    ours = MultiHeadAttention(12, 3, bias=bias, generator=generator()).double()
    ours = with_random_biases(ours)
    theirs = torch_heads(ours, 12, 3)
    x = normal(2, 5, 12)
    context = normal(2, 7, 12, seed=1) if form == "cross" else None
    lengths = torch.tensor([2, 5])
    mask, options = {
        "full": (None, {}),
        "cross": (None, {}),
        "causal": (Mask.causal(), {"attn_mask": ~torch.ones(5, 5, dtype=torch.bool).tril()}),
        "padded": (
            Mask.from_key_lengths(lengths),
            {"key_padding_mask": torch.arange(5) >= lengths[:, None]},
        ),
    }[form]

    def of_theirs(x, context=None):
        context = x if context is None else context
        return theirs(x, context, context, average_attn_weights=False, **options)

    inputs = (x,) if context is None else (x, context)
    ours_results = value_and_gradients(lambda *inputs: ours(*inputs, mask=mask), *inputs)
    theirs_results = value_and_gradients(lambda *inputs: of_theirs(*inputs)[0], *inputs)
    for a, b in zip(ours_results, theirs_results):
        assert_close(a, b)
    assert_close(ours.weights(*inputs, mask=mask), of_theirs(*inputs)[1])
    assert_close(ours.qkv.weight.grad, theirs.in_proj_weight.grad)
    assert_close(ours.output.weight.grad, theirs.out_proj.weight.grad)
    if bias:
        assert_close(ours.qkv.bias.grad, theirs.in_proj_bias.grad)
        assert_close(ours.output.bias.grad, theirs.out_proj.bias.grad)


def test_attending_to_oneself_as_a_context_changes_nothing():
    heads = with_random_biases(MultiHeadAttention(8, 2, d_head=3, bias=True, generator=generator()))
    x = normal(2, 4, 8, dtype=torch.float32)
    assert_close(heads(x, x, Mask.causal()), heads(x, mask=Mask.causal()))


def test_cross_attention_has_one_output_a_query_and_one_weight_a_pair():
    heads = MultiHeadAttention(8, 2, d_head=5)
    x, context = torch.randn(3, 4, 8), torch.randn(3, 6, 8)
    assert heads(x, context).shape == (3, 4, 8)
    assert heads.weights(x, context).shape == (3, 2, 4, 6)
    assert heads(x, context[:, :0]).shape == (3, 4, 8)


def test_the_readable_weights_give_the_fused_output():
    heads = MultiHeadAttention(8, 2, d_head=3, generator=generator()).double()
    x, mask = normal(2, 5, 8), Mask.from_key_lengths(torch.tensor([0, 3])) & Mask.causal()
    note = note_matrices(heads)
    gathered = sum(
        heads.weights(x, mask=mask)[:, h] @ x @ W_v @ W_c
        for h, (W_v, W_c) in enumerate(zip(note["W_v"], note["W_c"]))
    )
    assert_close(heads(x, mask=mask), gathered)


def test_note_matrices_go_in_and_come_out():
    heads, other = (MultiHeadAttention(8, 3, d_head=5, generator=generator(seed)) for seed in range(2))
    note = note_matrices(heads)
    assert [W.shape for W in note["W_q"]] == [(8, 5)] * 3 and [W.shape for W in note["W_c"]] == [(5, 8)] * 3
    load_note_matrices(other, **{name: np.stack([W.numpy() for W in Ws]) for name, Ws in note.items()})
    x = torch.randn(2, 4, 8, generator=generator())
    assert torch.equal(heads(x), other(x))


def test_note_matrices_are_copies():
    heads = MultiHeadAttention(4, 2)
    before = heads.qkv.weight.detach().clone()
    for matrices in note_matrices(heads).values():
        for matrix in matrices:
            matrix.zero_()
    assert torch.equal(heads.qkv.weight, before) and heads.output.weight.any()


def test_wrong_note_matrices_are_refused_before_any_is_taken():
    heads = MultiHeadAttention(8, 2, d_head=3)
    before, note = heads.qkv.weight.detach().clone(), note_matrices(MultiHeadAttention(8, 2, d_head=3))
    with pytest.raises(ValueError, match=r"W_c\[1\] has shape \(8, 3\); \(3, 8\) is right"):
        load_note_matrices(heads, **note | {"W_c": [note["W_c"][0], note["W_c"][1].T]})
    with pytest.raises(ValueError, match="W_q has 1 matrices; 2, one per head, is right"):
        load_note_matrices(heads, **note | {"W_q": note["W_q"][:1]})
    assert torch.equal(heads.qkv.weight, before)


def test_the_note_has_no_biases():
    heads = MultiHeadAttention(8, 2, bias=True)
    with pytest.raises(ValueError, match="bias=False"):
        note_matrices(heads)
    with pytest.raises(ValueError, match="bias=False"):
        load_note_matrices(heads, **note_matrices(MultiHeadAttention(8, 2)))


def test_a_width_that_heads_do_not_divide_needs_a_head_width():
    with pytest.raises(ValueError, match="d_model=10 is not a multiple of n_heads=4: give d_head"):
        MultiHeadAttention(10, 4)
    assert MultiHeadAttention(10, 4, d_head=3)(torch.randn(1, 2, 10)).shape == (1, 2, 10)


@pytest.mark.slow
@pytest.mark.parametrize("d_value", [1, 5])
def test_gradients_reach_values_of_another_width(d_value):
    heads = MultiHeadAttention(4, 2, d_head=3, d_value=d_value, bias=True, generator=generator()).double()
    assert heads.qkv.weight.shape == (2 * 2 * 3 + 2 * d_value, 4)
    assert heads.output.weight.shape == (4, 2 * d_value)
    names, weights = zip(*heads.named_parameters())

    def output(x, context, *weights):
        module = dict(zip(names, weights))
        own, other = (torch.func.functional_call(heads, module, inputs) for inputs in ((x,), (x, context)))
        return own, other

    inputs = [normal(2, time, 4, seed=time).requires_grad_() for time in (2, 3)]
    assert torch.autograd.gradcheck(output, (*inputs, *weights))


@pytest.mark.parametrize("mask", [None, Mask.causal(), Mask.from_dense(torch.eye(5).bool())], ids=str)
@pytest.mark.parametrize("n_kv", [1, 2, 3])
@pytest.mark.parametrize("with_bias", [False, True])
def test_shared_keys_and_values_are_those_repeated_for_each_head_forward_and_backward(mask, n_kv, with_bias):
    query, key, value = normal(2, 6, 5, 4), normal(2, n_kv, 5, 4, seed=1), normal(2, n_kv, 5, 3, seed=2)
    bias = normal(1, 6, 5, 5, seed=3) if with_bias else None

    def expanded(q, k, v):
        k, v = (x.repeat_interleave(6 // n_kv, dim=1) for x in (k, v))
        return attention_weights(q, k, mask, bias=bias) @ v

    def readable(q, k, v):
        return attention_weights(q, k, mask, bias=bias) @ for_each_query_head(v, q)

    expected = value_and_gradients(expanded, query, key, value)
    for path in (lambda q, k, v: attention(q, k, v, mask, bias=bias), readable):
        for a, b in zip(value_and_gradients(path, query, key, value), expected):
            assert_close(a, b)


@pytest.mark.parametrize(
    "positions", [name for name, scheme in POSITIONS.items() if name == "none" or scheme.acts_on != "input"]
)
@pytest.mark.parametrize("n_kv", [1, 2, 4])
@pytest.mark.parametrize("cross", [False, True], ids=["own", "cross"])
def test_grouped_heads_are_all_heads_whose_keys_and_values_are_equal_within_a_group(positions, n_kv, cross):
    """Outputs, weights and gradients: those of the copies add up in what is shared."""
    config = TransformerConfig(5, 9, d_model=8, n_heads=4, positions=positions)
    scheme = POSITIONS[positions].build(config, generator(1)).double()
    shared, whole = (
        MultiHeadAttention(8, 4, n_kv_heads=n, bias=True, positions=scheme).double() for n in (n_kv, 4)
    )
    with_random_biases(shared)

    def spread(rows):
        queries, *rest = rows.split(shared.widths)
        copies = (part.unflatten(0, (n_kv, 2)).repeat_interleave(4 // n_kv, 0) for part in rest)
        return torch.cat([queries, *(copy.flatten(0, 1) for copy in copies)])

    def summed(rows):
        queries, *rest = rows.split(whole.widths)
        sums = (part.unflatten(0, (n_kv, 4 // n_kv, 2)).sum(1) for part in rest)
        return torch.cat([queries, *(part.flatten(0, 1) for part in sums)])

    state = shared.state_dict()
    whole.load_state_dict({name: spread(t) if "qkv" in name else t for name, t in state.items()})
    x, context = normal(2, 5, 8), normal(2, 7, 8, seed=1) if cross else None
    mask, results = None if cross else Mask.causal(), []
    for module, joined in ((shared, torch.clone), (whole, summed)):
        scheme.zero_grad()
        values = value_and_gradients(partial(module, context=context, mask=mask), x)
        gradients = [p.new_zeros(1) if p.grad is None else p.grad.clone() for p in scheme.parameters()]
        gradients += [joined(module.qkv.weight.grad), joined(module.qkv.bias.grad), module.output.weight.grad]
        results.append([*values, module.weights(x, context, mask), *gradients])
    for a, b in zip(*results, strict=True):
        assert_close(a, b, rtol=0, atol=1e-12)


def test_as_many_heads_of_keys_and_values_as_of_queries_are_the_module_without_that_option():
    plain, all_heads = (MultiHeadAttention(8, 4, n_kv_heads=n, generator=generator()) for n in (None, 4))
    assert plain.state_dict().keys() == all_heads.state_dict().keys()
    x = normal(2, 5, 8, dtype=torch.float32)
    assert torch.equal(plain(x), all_heads(x))


def test_a_number_of_shared_heads_that_does_not_divide_is_refused_and_the_note_has_none():
    with pytest.raises(ValueError, match="n_kv_heads=4 does not divide n_heads=6: take 1 or 2 or 3 or 6"):
        MultiHeadAttention(12, 6, n_kv_heads=4)
    with pytest.raises(ValueError, match="n_kv_heads must be at least 1; got 0"):
        MultiHeadAttention(12, 6, n_kv_heads=0)
    with pytest.raises(ValueError, match="keys and values of its own: leave n_kv_heads out"):
        note_matrices(MultiHeadAttention(12, 6, n_kv_heads=3))


def test_shared_keys_and_values_reach_the_fused_kernel_without_copies(monkeypatch):
    calls, fused = [], nn.functional.scaled_dot_product_attention

    def recording(query, key, *args, **kwargs):
        calls.append((key.shape[1], kwargs["enable_gqa"]))
        return fused(query, key, *args, **kwargs)

    monkeypatch.setattr(nn.functional, "scaled_dot_product_attention", recording)
    for n_kv in (4, 2):
        MultiHeadAttention(8, 4, n_kv_heads=n_kv)(torch.randn(1, 3, 8), mask=Mask.causal())
    assert calls == [(4, False), (2, True)]


def test_a_cache_of_values_of_another_width_keeps_chosen_rows_in_order():
    heads = MultiHeadAttention(8, 2, d_head=3, d_value=5, generator=generator()).double()
    x, order = normal(3, 4, 8), torch.tensor([2, 0])
    cache = heads.new_cache(3, 4)
    with torch.no_grad():
        heads(x[:, :3], mask=Mask.causal(), cache=cache)
        last = heads(x[order, 3:], mask=Mask.causal(), cache=cache.select(order))
        cache.reorder(torch.tensor([1, 1, 2]))
        reordered = heads(x[[1, 1, 2], 3:], mask=Mask.causal(), cache=cache)
        whole = heads(x, mask=Mask.causal())[:, 3:]
    assert_close(last, whole[order])
    assert_close(reordered, whole[[1, 1, 2]])


def test_dropout_acts_only_in_training():
    heads = MultiHeadAttention(8, 2, dropout=0.5)
    x = torch.randn(2, 6, 8)
    assert not torch.equal(heads(x), heads(x))
    heads.eval()
    assert torch.equal(heads(x), heads(x))


def test_a_generator_decides_the_weights_and_leaves_the_global_one_alone():
    before = torch.get_rng_state()
    first, second = (MultiHeadAttention(8, 2, bias=True, generator=generator(3)) for _ in range(2))
    assert torch.equal(torch.get_rng_state(), before)
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters()))


def test_inputs_of_unit_variance_get_queries_of_unit_variance():
    heads = MultiHeadAttention(256, 4, generator=generator())
    queries = heads.qkv(normal(4, 64, 256, seed=1, dtype=torch.float32))
    assert_close(queries.var().item(), 1.0, rtol=0.05, atol=0.0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_outputs_keep_the_type_of_the_weights(dtype):
    heads = MultiHeadAttention(8, 2).to(dtype)
    assert heads(torch.randn(1, 3, 8, dtype=dtype), mask=Mask.causal()).dtype == dtype


def test_heads_that_cannot_be_shared_evenly_are_refused_by_both_paths():
    query, key = normal(1, 3, 4, 8, seed=0), normal(1, 2, 5, 8, seed=1)
    with pytest.raises(ValueError, match="3 heads of queries cannot share 2 heads of keys"):
        attention_weights(query, key)
    with pytest.raises(ValueError, match="3 heads of queries cannot share 2 heads of keys"):
        attention(query, key, key)


@pytest.mark.parametrize(
    ("query", "key", "told"),
    [
        ((3, 4, 8), (5, 8), "3 heads of queries cannot share no heads of keys"),
        ((4, 8), (3, 5, 8), "no heads of queries cannot share 3 heads of keys"),
        ((1, 4, 8), (5, 8), "1 heads of queries cannot share no heads of keys"),
        ((4, 8), (1, 5, 8), "no heads of queries cannot share 1 heads of keys"),
    ],
)
def test_heads_on_one_side_alone_are_refused_by_both_paths(query, key, told):
    q, k = normal(*query, seed=0), normal(*key, seed=1)
    with pytest.raises(ValueError, match=told):
        attention_weights(q, k)
    with pytest.raises(ValueError, match=told):
        attention(q, k, k)


def test_a_cache_of_another_number_of_rows_is_refused():
    module, x = MultiHeadAttention(16, 2).double(), normal(4, 5, 16)
    with pytest.raises(ValueError, match="the cache has 4 rows; got keys and values of 1"):
        module(x[:1], cache=module.new_cache(4, 8))


def test_cross_attention_needs_a_memory_and_shares_it_out_evenly():
    module, x = CrossAttention(16, 2).double(), normal(4, 5, 16)
    with pytest.raises(ValueError, match="needs a memory"):
        module(x)
    with pytest.raises(ValueError, match="4 sequences cannot be shared out among 3 memories"):
        module(x, normal(3, 2, 16))
    memory = normal(2, 3, 16, seed=1)
    assert_close(module(x, memory), module(x, memory.repeat_interleave(2, 0)))
