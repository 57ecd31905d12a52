"""Linear maps give the same whichever product computes them; where oneDNN does not apply, PyTorch does."""

import copy
import subprocess
import sys

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

from transformer_lib import linear as module
from transformer_lib.config import TransformerConfig
from transformer_lib.decoding import generate
from transformer_lib.linear import (
    MATMULS,
    WORKLOADS,
    Linear,
    fastest_matmul,
    has_onednn,
    linear,
    projection,
    transposed_weights,
    use_matmul,
)
from transformer_lib.training.objectives import language_model_loss
from transformer_lib.transformer import DecoderLM

needs_onednn = pytest.mark.skipif(not has_onednn(), reason="this PyTorch has no oneDNN product")


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def language_model(**changes):
    shape = {"vocab_size": 11, "context_length": 16, "d_model": 32, "n_heads": 2, "n_layers": 2} | changes
    return DecoderLM(TransformerConfig(**shape), generator=generator())


def results(x, weight, bias, name):
    """The output, and the gradients of one and the same random function of it."""
    leaves = [part.detach().clone().requires_grad_() for part in (x, weight, bias) if part is not None]
    with use_matmul(name):
        y = linear(*leaves)
    (y * torch.randn(y.shape, generator=generator(1))).sum().backward()
    return y, *(leaf.grad for leaf in leaves)


def spy(monkeypatch):
    """Which shapes oneDNN is asked for."""
    calls, original = [], module._onednn_product

    def product(rows, matrix, bias=None):
        calls.append((tuple(rows.shape), tuple(matrix.shape)))
        return original(rows, matrix, bias)

    monkeypatch.setattr(module, "_onednn_product", product)
    return calls


@needs_onednn
@given(st.lists(st.integers(0, 5), max_size=3), st.integers(1, 40), st.integers(1, 40), st.booleans())
def test_both_products_agree_forward_and_backward(batch, d_in, d_out, has_bias):
    x = torch.randn(*batch, d_in, generator=generator(2))
    weight = torch.randn(d_out, d_in, generator=generator(3))
    bias = torch.randn(d_out, generator=generator(4)) if has_bias else None
    for got, expected in zip(
        results(x, weight, bias, "onednn"), results(x, weight, bias, "torch"), strict=True
    ):
        assert_close(got, expected, rtol=1e-4, atol=1e-4)


@needs_onednn
def test_onednn_computes_forward_and_backward_products(monkeypatch):
    calls = spy(monkeypatch)
    x, weight = torch.randn(2, 3, 5), torch.randn(7, 5)
    results(x, weight, None, "onednn")
    assert calls == [((6, 5), (7, 5)), ((6, 7), (5, 7)), ((5, 6), (7, 6))]


@needs_onednn
@pytest.mark.parametrize("needs", [(True, False), (False, True), (False, False)])
def test_no_gradient_is_computed_that_nobody_needs(monkeypatch, needs):
    calls = spy(monkeypatch)
    x, weight = torch.randn(6, 5, requires_grad=needs[0]), torch.randn(7, 5, requires_grad=needs[1])
    with use_matmul("onednn"):
        y = linear(x, weight)
    if any(needs):
        y.sum().backward()
    assert len(calls) == 1 + sum(needs)


@needs_onednn
def test_memory_order_does_not_matter():
    x = torch.randn(5, 4, 6, generator=generator()).transpose(0, 2)
    weight = torch.randn(5, 14, generator=generator(1)).t()[::2]
    for got, expected in zip(results(x, weight, None, "onednn"), results(x, weight, None, "torch")):
        assert_close(got, expected)
    parts = torch.randn(3, 12, generator=generator(2)).chunk(2, dim=-1)
    with use_matmul("onednn"):
        assert_close(linear(parts[1], torch.eye(6)), parts[1])
        gradient = torch.autograd.grad(linear(x.requires_grad_(), weight).sum(), x)[0]
    assert_close(gradient, weight.sum(0).expand_as(x))


@needs_onednn
def test_whatever_is_no_float32_on_a_cpu_stays_with_pytorch(monkeypatch):
    calls = spy(monkeypatch)
    x, weight = torch.randn(3, 5), torch.randn(7, 5)
    with use_matmul("onednn"):
        assert linear(x.double(), weight.double()).dtype == torch.float64
        assert linear(x.bfloat16(), weight.bfloat16()).dtype == torch.bfloat16
        assert linear(x.to("meta"), weight.to("meta")).device.type == "meta"
        assert linear(x[:0], weight).shape == (0, 7)
        with torch.autocast("cpu", torch.bfloat16):
            assert linear(x, weight).dtype == torch.bfloat16
        with pytest.raises(RuntimeError, match="shapes"):
            F.linear(x, weight.t())
    assert calls == []


@needs_onednn
@pytest.mark.slow
def test_compiled_code_stays_with_pytorch():
    """In a process of its own, since what checks shapes in tests cannot be compiled."""
    code = """
import torch
from transformer_lib.linear import projection, use_matmul

layer, x = projection(8, 8), torch.randn(3, 8)
compiled = torch.compile(layer, backend="eager", fullgraph=True)
with use_matmul("onednn"):
    assert torch.equal(compiled(x), torch.nn.functional.linear(x, layer.weight, layer.bias))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@needs_onednn
def test_a_gradient_of_a_gradient_is_refused_clearly():
    x, weight = torch.randn(3, 5, requires_grad=True), torch.randn(7, 5)
    with use_matmul("onednn"):
        y = linear(x, weight).square().sum()
    (gradient,) = torch.autograd.grad(y, x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        gradient.sum().backward()


@needs_onednn
def test_the_choice_ends_with_its_block_also_after_an_error(monkeypatch):
    calls = spy(monkeypatch)
    x = torch.randn(3, 5)
    with pytest.raises(KeyError), use_matmul("onednn"):
        with use_matmul("torch"):
            linear(x, torch.randn(7, 5))
        assert calls == []
        linear(x, torch.randn(7, 5))
        raise KeyError
    linear(x, torch.randn(7, 5))
    assert len(calls) == 1


@needs_onednn
@pytest.mark.slow
def test_fifty_steps_of_training_have_the_same_losses():
    inputs = torch.randint(11, (5, 4, 17), generator=generator(5))
    losses = {}
    for name in MATMULS:
        lm = language_model(bias=True)
        optimizer = torch.optim.AdamW(lm.parameters(), lr=1e-3)
        losses[name] = []
        for batch in inputs.repeat(10, 1, 1):
            with use_matmul(name):
                loss = language_model_loss(lm, (batch[:, :-1], batch[:, 1:]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses[name].append(loss.detach())
    assert_close(torch.stack(losses["onednn"]), torch.stack(losses["torch"]), rtol=1e-5, atol=0)
    assert losses["torch"][-1] < losses["torch"][0]


def test_pytorchs_own_product_is_the_default_bit_for_bit():
    layer, x = projection(8, 5, generator=generator()), torch.randn(3, 8)
    assert isinstance(layer, Linear)
    assert torch.equal(layer(x), F.linear(x, layer.weight, layer.bias))


@pytest.mark.parametrize("call", [lambda: use_matmul("mkl").__enter__(), lambda: fastest_matmul("reading")])
def test_an_unknown_name_is_refused(call):
    with pytest.raises(ValueError, match="is not one of '"):
        call()


@pytest.mark.parametrize("lack", ["no oneDNN", "no operator", "another signature"])
def test_without_onednn_pytorch_is_chosen(monkeypatch, lack):
    if lack == "no oneDNN":
        monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    elif lack == "no operator":
        monkeypatch.setattr(torch.ops, "mkldnn", object())
    else:
        monkeypatch.setattr(module, "ONEDNN_ARGUMENTS", ["X", "W"])
    monkeypatch.setattr(module, "has_onednn", has_onednn.__wrapped__)
    assert fastest_matmul.__wrapped__("training") == "torch"
    with pytest.raises(ValueError, match="choose 'torch'"), use_matmul("onednn"):
        pass


@needs_onednn
@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize(("factor", "expected"), [(0.5, "onednn"), (0.99, "torch"), (2.0, "torch")])
def test_the_faster_product_is_chosen_by_the_clock(monkeypatch, workload, factor, expected):
    """A clock that runs by the product in use takes the place of the real one."""
    clock = [0.0]

    def run():
        clock[0] += 1.0 if module._matmul == "torch" else factor

    monkeypatch.setattr(module.time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(module, f"_{workload}_products", lambda: run)
    assert fastest_matmul.__wrapped__(workload) == expected


@pytest.mark.parametrize("products", [module._training_products, module._sampling_products])
@pytest.mark.parametrize("name", MATMULS)
def test_the_products_that_are_timed_run(monkeypatch, products, name):
    if name not in MATMULS[: 1 + has_onednn()]:
        pytest.skip("this PyTorch has no oneDNN product")
    with use_matmul(name):
        products()()


@pytest.mark.parametrize("name", MATMULS[: 1 + has_onednn()])
def test_transposed_weights_sample_the_same_and_come_back_as_they_were(name):
    lm = language_model(bias=True)
    before, addresses = copy.deepcopy(lm.state_dict()), [id(weight) for weight in lm.parameters()]
    prompt = torch.randint(11, (3, 4), generator=generator(1))
    expected = generate(lm, prompt, 12, generator=generator(2))
    with transposed_weights(lm), use_matmul(name):
        weight = lm.stack.blocks[0].attention.qkv.weight
        assert weight.stride() == (1, weight.shape[0]) and isinstance(weight, nn.Parameter)
        assert torch.equal(generate(lm, prompt, 12, generator=generator(2)), expected)
        assert_close(lm.state_dict(), before, rtol=0, atol=0)
        assert not language_model_loss(lm, (prompt, prompt)).requires_grad
    assert all(weight.is_contiguous() for weight in lm.parameters())
    assert [id(weight) for weight in lm.parameters()] == addresses
    assert_close(lm.state_dict(), before, rtol=0, atol=0)
