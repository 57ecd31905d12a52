"""A cache of codes is a cache of numbers, up to half a step."""

import pytest
import torch
from torch.testing import assert_close

from transformer_lib.decoding.quantized_cache import QuantizedCache, absmax_codes, quantize_caches
from transformer_lib.transformer.cache import KeyValueCache
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM


def normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def pair(bits=8, batch=2, heads=3, capacity=5, d_head=4, d_value=2):
    sizes = (batch, heads, capacity, d_head, d_value)
    numbers = KeyValueCache(*sizes, dtype=torch.float64)
    return numbers, QuantizedCache.like(numbers, bits)


@pytest.mark.parametrize("bits", [2, 4, 8])
def test_what_is_read_back_is_off_by_half_a_step_at_most(bits):
    numbers, codes = pair(bits)
    for new in (1, 3, 1):
        key, value = normal(2, 3, new, 4, seed=new), normal(2, 3, new, 2, seed=10 + new)
        exact, read = numbers.append(key, value), codes.append(key, value)
    for true, found in zip(exact, read):
        half = true.abs().amax(-1, keepdim=True) / (2 ** (bits - 1) - 1) / 2
        assert ((found - true).abs() <= half * (1 + 1e-9)).all()
    assert codes.length == numbers.length == 5 and codes.version == numbers.version == 3


def test_numbers_that_are_codes_come_back_exactly():
    x = torch.tensor([[-127.0, 3.0, 0.0], [0.0, 0.0, 0.0], [254.0, -2.0, 4.0]])
    codes, step = absmax_codes(x)
    assert_close(codes * step, x)
    assert step.tolist() == [[1.0], [0.0], [2.0]]


def test_rows_can_be_put_in_another_order_and_be_selected():
    _, codes = pair()
    read = codes.append(normal(2, 3, 4, 4), normal(2, 3, 4, 2, seed=1))
    before = [part.clone() for part in read]
    chosen = codes.select(torch.tensor([1, 1, 0]))
    codes.reorder(torch.tensor([1, 0]))
    more = normal(2, 3, 1, 4, seed=2), normal(2, 3, 1, 2, seed=3)
    for now, was in zip(codes.append(*more), before):
        assert_close(now[:, :, :4], was.flip(0))
    again = [torch.cat([part, part[:1]]) for part in more]
    for now, was in zip(chosen.append(*again), before):
        assert_close(now[:, :, :4], was[[1, 1, 0]])


def test_it_takes_as_many_bits_as_codes_and_steps_do():
    numbers = KeyValueCache(1, 2, 3, 64, dtype=torch.float32)
    assert QuantizedCache.like(numbers, 8).bits_per_position == 2 * (8 * 128 + 2 * 32)
    assert QuantizedCache.like(numbers, 4).bits_per_position == 2 * (4 * 128 + 2 * 32)


def test_a_decoder_with_eight_bits_predicts_nearly_the_same():
    config = TransformerConfig(5, 8, d_model=16, n_heads=4, n_layers=2, n_kv_heads=2, positions="rotary")
    model = DecoderLM(config, generator=torch.Generator().manual_seed(0)).double().eval()
    tokens = torch.randint(5, (3, 6), generator=torch.Generator().manual_seed(1))
    plain = model.init_state(3)
    coded = quantize_caches(model.init_state(3), 8)
    for t in range(6):
        exact, plain = model.step(tokens[:, t], plain)
        found, coded = model.step(tokens[:, t], coded)
        assert_close(found.softmax(-1), exact.softmax(-1), rtol=0, atol=0.02)
    assert all(isinstance(cache, QuantizedCache) for cache in coded.caches)
    assert not torch.equal(found, exact)


@pytest.mark.parametrize("bits", [1, 9])
def test_codes_that_would_not_fit_are_refused(bits):
    with pytest.raises(ValueError, match=f"bits must be from 2 to 8, got {bits}"):
        QuantizedCache(1, 1, 1, 1, bits=bits)


def test_a_state_that_has_read_is_refused():
    config = TransformerConfig(5, 8, d_model=8, n_heads=2, n_layers=1)
    model = DecoderLM(config)
    _, state = model.step(torch.tensor([1]), model.init_state(1))
    with pytest.raises(ValueError, match="nothing has been read"):
        quantize_caches(state)
