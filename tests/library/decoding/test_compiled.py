"""Compiled steps predict what plain ones predict, and the samples of a seed stay what they were."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import drawn
import pytest
import torch
from density_cases import randomize
from drawn import generator
from torch.testing import assert_close

from transformer_lib.decoding import compiled
from transformer_lib.decoding.compiled import with_compiled_step
from transformer_lib.decoding.sampling import generate
from transformer_lib.recurrent.language_model import LSTM, RecurrentConfig
from transformer_lib.transformer.config import POSITIONS, TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask

VOCAB, CONTEXT = 5, 7
SHAPE = {"vocab_size": VOCAB, "context_length": CONTEXT, "d_model": 8, "n_heads": 2, "n_layers": 2}
FORMS = {
    **{name: {"positions": name} for name in POSITIONS},
    "post": {"norm": "post", "bias": True},
    "llama": {"n_heads": 4, "n_kv_heads": 2, "norm_kind": "rms", "gated": True, "positions": "rotary"},
    "attention only": {"attention_only": True, "tie_embeddings": False},
}
tokens = partial(drawn.tokens, vocab_size=VOCAB)


@pytest.fixture(autouse=True)
def what_would_be_compiled_runs_as_it_stands():
    """For the tests' type checks cannot be compiled: compilers have processes of their own below."""
    with torch.compiler.set_stance("force_eager"):
        yield


def model(dtype=torch.float64, mask=None, **changes):
    lm = DecoderLM(TransformerConfig(**SHAPE | changes), mask=mask)
    return randomize(lm, scale=0.5).to(dtype).eval()


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("dtype", "atol"), [(torch.float64, 1e-12), (torch.float32, 1e-5)])
def test_every_step_gives_the_logits_of_the_plain_step_and_of_no_cache(form, rows, dtype, atol):
    lm, x = model(dtype, **FORMS[form]), tokens(rows, CONTEXT + 2)
    fast, plain = with_compiled_step(lm), lm.init_state(rows)
    state = fast.init_state(rows)
    for t in range(CONTEXT + 2):
        logits, state = fast.step(x[:, t], state)
        expected, plain = lm.step(x[:, t], plain)
        whole = lm.logits(x[:, : t + 1][:, -CONTEXT:])[:, -1]
        assert_close(logits, expected, rtol=0, atol=atol)
        assert_close(logits, whole, rtol=0, atol=atol)
        assert torch.equal(state.tokens, plain.tokens) and logits.dtype == dtype


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("time", [0, 1, 4, CONTEXT])
def test_a_seed_draws_the_same_samples(time, rows):
    lm, prompt = model(), tokens(rows, time)
    for settings in ({}, {"temperature": 0.0}, {"top_k": 3, "top_p": 0.9}, {"end_token": 2}):
        drawn_by = [
            generate(lm, prompt, 9, generator=generator(4), compiled=compiled, **settings)
            for compiled in (False, True)
        ]
        assert torch.equal(*drawn_by)


def test_prompts_of_different_lengths_are_continued_as_without():
    lm, prompt, lengths = model(), tokens(3, 4), torch.tensor([4, 0, 2])
    drawn_by = [
        generate(lm, prompt, 6, prompt_lengths=lengths, generator=generator(1), compiled=compiled)
        for compiled in (False, True)
    ]
    assert torch.equal(*drawn_by)


def test_all_steps_but_four_of_a_full_context_run_compiled_code(monkeypatch):
    """Those that read the start token and the next, the one that fills the cache, and none beyond."""
    reads, original = [], compiled._next_logits

    def counted(decoder, tokens, memories, read):
        reads.append(read)
        return original(decoder, tokens, memories, read)

    monkeypatch.setattr(compiled, "_compiled_logits", lambda _: counted)
    generate(model(), tokens(2, 0), CONTEXT + 3, compiled=True)
    assert reads == list(range(2, CONTEXT - 1))


@pytest.mark.parametrize(("rows", "dtype"), [(1, torch.float32), (1, torch.float64), (2, torch.float32)])
def test_a_single_row_reads_copies_of_the_weights_that_lie_input_by_input(rows, dtype, monkeypatch):
    lm, used, original = model(dtype), [], compiled._next_logits

    def watched(decoder, *others):
        used.append(decoder)
        return original(decoder, *others)

    monkeypatch.setattr(compiled, "_compiled_logits", lambda _: watched)
    generate(lm, tokens(rows, 3), 4, compiled=True)
    (decoder,) = set(used)
    assert (decoder is lm) == (rows > 1)
    for own, read in zip(lm.modules(), decoder.modules()):
        if isinstance(own, torch.nn.Linear):
            assert own.weight.is_contiguous() and torch.equal(own.weight, read.weight)
            by_input = rows == 1 and dtype == torch.float32
            assert read.weight.t().is_contiguous() == by_input


@pytest.mark.parametrize("reach", [1, 3])
def test_a_window_is_kept(reach):
    lm = model(mask=Mask.window(reach))
    drawn_by = [
        generate(lm, tokens(2, 1), 8, generator=generator(2), compiled=compiled) for compiled in (False, True)
    ]
    assert torch.equal(*drawn_by)


@pytest.mark.parametrize("rows", [1, 2])
def test_dropout_is_off_meanwhile_and_on_again_afterwards(rows):
    lm = model(torch.float32, dropout=0.5).train()
    fast = with_compiled_step(lm)
    state = fast.init_state(rows)
    for t in range(4):  # with dropout on, as for a step of the decoder itself
        _, state = fast.step(tokens(rows, 4)[:, t], state)
    for one in (lm, fast):
        samples = [generate(one, tokens(rows, 1), 5, temperature=0.0, compiled=one is lm) for _ in range(2)]
        assert torch.equal(*samples) and lm.training and all(block.training for block in lm.stack.blocks)


def test_what_is_not_a_decoder_alone_says_that_it_has_no_compiled_step():
    translator = EncoderDecoder(TransformerConfig(**SHAPE)).condition(tokens(2, 3))
    for other in (LSTM(RecurrentConfig(vocab_size=VOCAB, d_model=4)), translator):
        with pytest.raises(ValueError, match="has no compiled step: leave compiled=True out"):
            generate(other, tokens(2, 1), 3, compiled=True)


def run_alone(program):
    """Run the program in a process without the tests' type checks, on the models of this file."""
    header = "import torch\nfrom transformer_lib import *\n"
    header += "from transformer_lib.decoding.compiled import with_compiled_step\n"
    header += f"SHAPE = {SHAPE!r}\nFORMS = {FORMS!r}\n"
    command = [sys.executable, "-c", header + program]
    root = Path(__file__).resolve().parents[3]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=root)
    assert run.returncode == 0, run.stderr[-3000:]


DRAW = """
def draw(lm, rows=1, **options):
    generator = torch.Generator().manual_seed(3)
    prompt = torch.ones(rows, 1, dtype=torch.long)
    return generate(lm, prompt, 7, generator=generator, **options)
"""


@pytest.mark.slow
def test_every_form_is_traced_once_for_all_positions_and_without_a_break():
    run_alone(
        DRAW
        + """
from torch._dynamo.utils import counters

with torch.compiler.set_stance(force_backend="eager"):
    for form, changes in FORMS.items():
        torch.compiler.reset()
        counters.clear()
        for seed in range(2):
            lm = DecoderLM(TransformerConfig(**SHAPE | changes), generator=torch.manual_seed(seed))
            assert torch.equal(draw(lm, compiled=True), draw(lm)), form
        assert counters["stats"]["unique_graphs"] == 1 and not counters["graph_break"], (form, counters)
"""
    )


@pytest.mark.slow
def test_compiled_code_draws_the_same_samples_for_one_row_and_for_several():
    run_alone(
        DRAW
        + """
lm = DecoderLM(TransformerConfig(**SHAPE | {"n_layers": 1}), generator=torch.manual_seed(0))
for rows in (1, 3):
    assert torch.equal(draw(lm, rows, compiled=True), draw(lm, rows))
fast, state, plain = with_compiled_step(lm), lm.init_state(1), lm.init_state(1)
for token in torch.tensor([[1], [4], [0], [2], [3], [3]]):
    logits, state = fast.step(token, state)
    expected, plain = lm.step(token, plain)
    torch.testing.assert_close(logits, expected, rtol=0, atol=1e-6)
"""
    )
