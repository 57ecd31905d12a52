"""A decoder that remembers keys and values predicts what one that reads everything again predicts."""

from functools import partial

import drawn
import hypothesis.strategies as st
import pytest
import torch
from density_cases import randomize
from hypothesis import given, settings
from torch.testing import assert_close

from transformer_lib.decoding.sampling import generate
from transformer_lib.transformer.cache import KeyValueCache
from transformer_lib.transformer.config import POSITIONS, TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask

VOCAB, CONTEXT, SOURCES = 5, 6, 3
TINY = {"vocab_size": VOCAB, "context_length": CONTEXT, "d_model": 8, "n_heads": 2, "n_layers": 2}
STRATOS = {
    "norm": "post",
    "activation": "relu",
    "bias": True,
    "attention_bias": False,
    "norm_eps": 1e-3,
    "norm_eps_on": "deviation",
}
FORMS = {
    "pre": {},
    "post": {"norm": "post", "bias": True},
    "stratos": STRATOS,
    "macaron": {"macaron": True, "tie_embeddings": False},
    "llama": {"n_heads": 4, "n_kv_heads": 2, "norm_kind": "rms", "activation": "silu", "gated": True},
    "multi-query": {"n_heads": 4, "n_kv_heads": 1, "bias": True},
    "odd": {"d_head": 2, "n_heads": 3, "n_layers": 1, "scale_embeddings": True},
}
LENGTHS = torch.tensor([2, 0, 4])

every_scheme = pytest.mark.parametrize("positions", POSITIONS)
every_form = pytest.mark.parametrize("form", FORMS)
both_kinds = pytest.mark.parametrize("with_source", [False, True], ids=["decoder", "encoder-decoder"])
tokens = partial(drawn.tokens, vocab_size=VOCAB)


def model(with_source=False, dtype=torch.float64, **changes):
    """A decoder, or one that is conditioned on three sources of different lengths."""
    config = TransformerConfig(**TINY | changes)
    if not with_source:
        return randomize(DecoderLM(config), scale=0.5).to(dtype).eval()
    translator = randomize(EncoderDecoder(config), scale=0.5).to(dtype).eval()
    with torch.no_grad():
        return translator.condition(tokens(SOURCES, 4, seed=9), LENGTHS)


@torch.no_grad()
def uncached(lm, read, sources=None):
    """The logits after ``read``, the rows of which belong to these sources, without any state."""
    window = read[:, -CONTEXT:]
    if isinstance(lm, DecoderLM):
        return lm.logits(window)[:, -1]
    rows = torch.arange(len(read)) if sources is None else sources
    mask = Mask.from_key_lengths(lm.source_lengths[rows])
    return lm.decoder.logits(window, lm.memory[rows], mask)[:, -1]


def count_embedded(lm):
    """How many positions each pass embeds, in a list that grows with the passes."""
    decoder, times = getattr(lm, "decoder", lm), []
    decoder.token_embedding.register_forward_hook(
        lambda module, inputs, output: times.append(output.shape[1])
    )
    return times


def assert_steps_give_the_logits_of_reading_everything_again(lm, atol):
    x, state = tokens(SOURCES, CONTEXT + 1), lm.init_state(SOURCES)
    whole = lm.logits(x[:, :CONTEXT])
    for t in range(CONTEXT + 1):
        logits, state = lm.step(x[:, t], state)
        expected = whole[:, t] if t < CONTEXT else uncached(lm, x)
        assert_close(logits, expected, rtol=0, atol=atol)


@pytest.mark.slow
@both_kinds
@every_form
@every_scheme
def test_every_step_gives_the_logits_of_reading_everything_again(positions, form, with_source):
    lm = model(with_source, positions=positions, **FORMS[form])
    assert_steps_give_the_logits_of_reading_everything_again(lm, 1e-12)


@pytest.mark.slow
@both_kinds
@every_scheme
def test_in_float32_every_step_gives_them_to_rounding(positions, with_source):
    lm = model(with_source, torch.float32, positions=positions, **STRATOS)
    assert_steps_give_the_logits_of_reading_everything_again(lm, 1e-5)


@both_kinds
@every_scheme
def test_a_step_depends_on_every_token_before_it(positions, with_source):
    """Without which a cache that loses something could not be seen."""
    lm, x = model(with_source, positions=positions), tokens(SOURCES, 5)
    for t in range(5):
        changed = x.clone()
        changed[:, t] = (changed[:, t] + 1) % VOCAB
        assert ((uncached(lm, changed) - uncached(lm, x)).abs().amax(1) > 1e-6).all()


@pytest.mark.slow
@both_kinds
@every_scheme
@given(data=st.data())
@settings(max_examples=6)
def test_states_can_be_gone_on_from_in_any_order_however_often_and_with_any_rows(
    positions, with_source, data
):
    """A tree of states: each is reached from any earlier one by reading some tokens or choosing some rows."""
    lm = model(with_source, positions=positions)
    start = tokens(SOURCES, 0)
    states = [(lm.init_state(SOURCES), start, torch.arange(SOURCES))]
    for seed in range(data.draw(st.integers(1, 8))):
        state, read, sources = data.draw(st.sampled_from(states[-4:]))
        if data.draw(st.booleans()):
            new = tokens(len(read), data.draw(st.integers(1, CONTEXT + 1)), seed=seed)
            read = torch.cat([read, new], dim=1)
            logits, state = lm.read(new, state)
            assert_close(logits, uncached(lm, read, sources), rtol=0, atol=1e-12)
        else:
            rows = st.lists(st.integers(0, len(read) - 1), max_size=6) if len(read) else st.just([])
            rows = torch.tensor(data.draw(rows), dtype=torch.long)
            state, read, sources = lm.select_state(state, rows), read[rows], sources[rows]
        states.append((state, read, sources))


@pytest.mark.slow
@both_kinds
@every_scheme
def test_several_tokens_are_read_in_one_pass_and_each_of_them_once(positions, with_source):
    lm = model(with_source, positions=positions)
    passes = count_embedded(lm)
    x, state, read = tokens(SOURCES, CONTEXT), lm.init_state(SOURCES), 0
    for size in (2, 3, 1):
        logits, state = lm.read(x[:, read : read + size], state)
        read += size
    assert passes == [2, 3, 1]
    assert_close(logits, uncached(lm, x), rtol=0, atol=1e-12)


def test_beyond_the_context_each_step_reads_the_latest_tokens_again():
    lm = model()
    _, state = lm.read(tokens(2, CONTEXT), lm.init_state(2))
    passes = count_embedded(lm)
    for _ in range(3):
        _, state = lm.step(tokens(2), state)
    assert passes == [CONTEXT] * 3
    assert state.tokens.shape == (2, CONTEXT)


@both_kinds
def test_the_state_that_wrote_last_owns_the_cache_and_another_reads_its_tokens_again(with_source):
    lm = model(with_source)
    _, base = lm.read(tokens(SOURCES, 3), lm.init_state(SOURCES))
    passes = count_embedded(lm)
    _, first = lm.step(tokens(SOURCES, seed=1), base)
    _, second = lm.step(tokens(SOURCES, seed=2), base)
    _, first = lm.step(tokens(SOURCES, seed=3), first)
    _, second = lm.step(tokens(SOURCES, seed=4), second)
    assert passes == [1, 4, 1, 1]


@both_kinds
def test_chosen_rows_need_no_second_reading(with_source):
    lm = model(with_source)
    _, state = lm.read(tokens(SOURCES, 3), lm.init_state(SOURCES))
    passes = count_embedded(lm)
    for rows in ([2, 0, 0, 1], [3, 3], [0]):
        state = lm.select_state(state, torch.tensor(rows))
        _, state = lm.step(tokens(len(rows)), state)
    assert passes == [1, 1, 1]


@both_kinds
@pytest.mark.parametrize("rows", [[2, 0, 1], [1, 1, 2], [0, 0, 1, 1, 2, 2], [2, 0, 0, 1, 2, 2], [1]])
def test_chosen_rows_keep_their_own_past_and_source(with_source, rows):
    lm, x, rows = model(with_source, positions="alibi"), tokens(SOURCES, 4), torch.tensor(rows)
    _, state = lm.read(x[:, :3], lm.init_state(SOURCES))
    logits, _ = lm.step(x[rows, 3], lm.select_state(state, rows))
    assert_close(logits, uncached(lm, x[rows], rows), rtol=0, atol=1e-12)


@both_kinds
def test_a_state_whose_reading_failed_half_way_can_still_be_gone_on_from(with_source):
    lm = model(with_source)
    x = tokens(SOURCES, 4)
    _, state = lm.read(x[:, :3], lm.init_state(SOURCES))
    last = getattr(lm, "decoder", lm).stack.blocks[-1]
    failing = last.register_forward_pre_hook(lambda module, inputs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        lm.step(x[:, 3], state)
    failing.remove()
    logits, _ = lm.step(x[:, 3], state)
    assert_close(logits, uncached(lm, x), rtol=0, atol=1e-12)


@both_kinds
def test_the_steps_leave_earlier_states_and_selections_as_they_were(with_source):
    lm, x = model(with_source), tokens(SOURCES, 5)
    _, state = lm.read(x[:, :2], lm.init_state(SOURCES))
    same = lm.select_state(state, torch.arange(SOURCES))
    before = same.caches[0].key.clone()[:, :, :2]
    _, state = lm.read((x[:, 2:] + 1) % VOCAB, state)
    assert torch.equal(same.caches[0].key[:, :, :2], before)
    logits, _ = lm.read(x[:, 2:], same)
    assert_close(logits, uncached(lm, x), rtol=0, atol=1e-12)


@pytest.mark.slow
@both_kinds
@every_scheme
def test_one_row_is_read_as_in_a_batch_and_no_row_gives_no_logits(positions, with_source):
    lm, x = model(with_source, positions=positions), tokens(SOURCES, 4)
    _, state = lm.read(x[:, :3], lm.init_state(SOURCES))
    together, _ = lm.step(x[:, 3], lm.select_state(state, torch.arange(SOURCES)))
    for row in range(SOURCES):
        alone, _ = lm.step(x[row : row + 1, 3], lm.select_state(state, torch.tensor([row])))
        assert_close(alone, together[row : row + 1], rtol=0, atol=1e-12)
    nothing, _ = lm.step(x[:0, 3], lm.select_state(state, torch.empty(0, dtype=torch.long)))
    assert nothing.shape == (0, VOCAB)


@every_scheme
def test_a_batch_of_nothing_is_read(positions):
    lm = model(positions=positions)
    logits, state = lm.read(tokens(0, 3), lm.init_state(0))
    logits, state = lm.step(tokens(0), state)
    assert logits.shape == (0, VOCAB) and lm.sample(0, 9).shape == (0, 9)


@pytest.mark.slow
@both_kinds
@every_scheme
def test_bfloat16_steps_stay_near_the_whole(positions, with_source):
    lm = model(with_source, torch.bfloat16, positions=positions)
    x, state = tokens(SOURCES, CONTEXT), lm.init_state(SOURCES)
    assert state.caches[0].key.dtype == torch.bfloat16
    for t in range(CONTEXT):
        logits, state = lm.step(x[:, t], state)
    assert logits.dtype == torch.bfloat16
    assert_close(logits, uncached(lm, x), rtol=0.05, atol=0.25)


@pytest.mark.slow
@both_kinds
@every_scheme
def test_steps_under_autocast_stay_near_those_without(positions, with_source):
    lm = model(with_source, torch.float32, positions=positions)
    x, state = tokens(SOURCES, CONTEXT), lm.init_state(SOURCES)
    with torch.autocast("cpu", torch.bfloat16):
        for t in range(CONTEXT):
            logits, state = lm.step(x[:, t], state)
    assert_close(logits.float(), uncached(lm, x), rtol=0.05, atol=0.25)


@pytest.mark.slow
@both_kinds
@every_scheme
def test_prompts_of_different_lengths_are_continued_as_each_alone(positions, with_source):
    lm, prompt, lengths = model(with_source, positions=positions), tokens(SOURCES, 4), [4, 0, 2]
    together = generate(lm, prompt, 5, prompt_lengths=torch.tensor(lengths), temperature=0.0)
    for row, length in enumerate(lengths):
        read = torch.cat([torch.tensor([lm.start_token]), prompt[row, :length]])[None]
        for _ in range(5):
            best = uncached(lm, read, torch.tensor([row])).argmax(1, keepdim=True)
            read = torch.cat([read, best], dim=1)
        assert together[row, : length + 5].tolist() == read[0, 1:].tolist()


def test_the_source_is_projected_once_and_beams_of_one_source_share_it(monkeypatch):
    lm, projected = model(True), []
    for layer in lm.decoder.stack.blocks:
        attention, original = layer.cross_attention, layer.cross_attention.keys_values
        monkeypatch.setattr(attention, "keys_values", lambda x, f=original: projected.append(1) or f(x))
    _, state = lm.read(tokens(SOURCES, 2), lm.init_state(SOURCES))
    beams = torch.arange(SOURCES).repeat_interleave(2)
    wide = lm.select_state(state, beams)
    _, wide = lm.step(tokens(6), wide)
    wide = lm.select_state(wide, torch.tensor([1, 0, 3, 3, 4, 5]))
    assert wide.memory is state.memory
    _, wide = lm.step(tokens(6), wide)
    crossed = lm.select_state(wide, torch.tensor([2, 0, 3, 3, 4, 5]))
    assert crossed.memory[0].key.shape[0] == 6
    assert len(projected) == len(lm.decoder.stack.blocks)


def test_reading_keeps_no_graph():
    lm = model()
    logits, state = lm.read(tokens(2, 3), lm.init_state(2))
    assert not logits.requires_grad and not state.caches[0].key.requires_grad


@both_kinds
def test_what_does_not_fit_a_state_is_refused(with_source):
    lm = model(with_source)
    state = lm.init_state(SOURCES)
    with pytest.raises(ValueError, match=r"3 rows read at least one token each; got the shape \(3, 0\)"):
        lm.read(tokens(SOURCES, 0), state)
    with pytest.raises(ValueError, match=r"3 rows read at least one token each; got the shape \(4, 1\)"):
        lm.step(tokens(4), state)
    with pytest.raises(ValueError, match=r"token 5 at batch 0, time 0 is outside the vocabulary 0\.\.4"):
        lm.step(torch.full((SOURCES,), 5), state)


def test_a_cache_gives_back_all_that_was_appended_and_refuses_what_does_not_fit():
    cache = KeyValueCache(2, 3, 4, 5, dtype=torch.float64)
    key, value = torch.randn(2, 2, 3, 4, 5, dtype=torch.float64)
    assert cache.length == 0 and cache.capacity == 4
    for begin, end in ((0, 1), (1, 1), (1, 4)):
        all_keys, all_values = cache.append(key[:, :, begin:end], value[:, :, begin:end])
        assert torch.equal(all_keys, key[:, :, :end]) and torch.equal(all_values, value[:, :, :end])
    version = cache.version
    with pytest.raises(ValueError, match="the cache holds 4 positions: 4 and 2 more do not fit"):
        cache.append(key[:, :, :2], value[:, :, :2])
    assert (cache.length, cache.version) == (4, version)


@given(st.lists(st.integers(0, 2), max_size=5), st.integers(0, 4))
def test_chosen_rows_of_a_cache_are_a_copy_with_room_for_as_much(rows, length):
    cache = KeyValueCache(3, 2, 4, 2)
    key, value = torch.randn(2, 3, 2, 4, 2)
    cache.append(key[:, :, :length], value[:, :, :length])
    rows = torch.tensor(rows, dtype=torch.long)
    chosen = cache.select(rows)
    assert (chosen.length, chosen.capacity) == (length, 4)
    cache.key.zero_()
    all_keys, all_values = chosen.append(key[rows, :, length:], value[rows, :, length:])
    assert torch.equal(all_keys, key[rows]) and torch.equal(all_values, value[rows])


@given(st.lists(st.permutations(range(3)) | st.lists(st.integers(0, 2), min_size=3, max_size=3), max_size=4))
def test_a_cache_that_is_reordered_holds_the_chosen_rows_and_goes_on(orders):
    cache = KeyValueCache(3, 2, 5, 2)
    key, value = torch.randn(2, 3, 2, 5, 2)
    for t, order in enumerate([*orders, [0, 1, 2]]):
        version = cache.version
        all_keys, all_values = cache.append(key[:, :, t : t + 1], value[:, :, t : t + 1])
        assert torch.equal(all_keys, key[:, :, : t + 1]) and torch.equal(all_values, value[:, :, : t + 1])
        cache.reorder(torch.tensor(order))
        key, value = key[order], value[order]
        assert cache.length == t + 1 and cache.version > version + 1


def test_a_cache_is_reordered_by_as_many_rows_as_it_has():
    cache = KeyValueCache(3, 1, 4, 2, 2)
    cache.append(torch.randn(3, 1, 2, 2), torch.randn(3, 1, 2, 2))
    with pytest.raises(ValueError, match="the cache has 3 rows; got 2: select takes any number"):
        cache.reorder(torch.tensor([0, 1]))
    assert len(cache.select(torch.tensor([0, 1])).key) == 2
