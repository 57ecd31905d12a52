"""The translator in one file is the library's: forward, backward, one update, and what it translates."""

import ast
import inspect

import pytest
import torch
from torch.testing import assert_close

from transformer_lib import EncoderDecoder, TransformerConfig, generate, one_file_translator
from transformer_lib.losses import translation_loss
from transformer_lib.one_file_translator import (
    PADDING,
    Translator,
    learning_rate,
    loss_of,
    make_batch,
    train_step,
    translate,
    waves,
)
from transformer_lib.training import learning_rate_factor
from transformer_lib.transformer.config import STRATOS
from transformer_lib.transformer.position_schemes import sinusoids

VOCAB, START, END = 11, 0, 1
PAIRS = [([2, 3, 4], [5, 6]), ([7], [8, 9, 10, 2]), ([4, 4, 3, 2, 9], [])]
every_shape = pytest.mark.parametrize(("d_model", "n_heads", "n_layers"), [(8, 2, 2), (6, 1, 1), (12, 4, 1)])


def twins(d_model, n_heads, n_layers):
    """The translator of one file and the library's, with the same weights, none of them the trivial ones."""
    torch.manual_seed(3)
    ours = Translator(VOCAB, d_model, n_heads, n_layers).double()
    for parameter in ours.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    sizes = {"d_model": d_model, "n_heads": n_heads, "n_layers": n_layers, "context_length": 32}
    config = TransformerConfig.from_dict(STRATOS | sizes | {"vocab_size": VOCAB, "start_token": START})
    theirs = EncoderDecoder(config).double()
    theirs.load_state_dict(in_library(ours.state_dict()), strict=True)
    return ours, theirs


def in_library(tensors):
    """Parameters, or gradients, of ours by the library's names."""
    found = {}
    for name, tensor in tensors.items():
        if name == "embedding.weight":
            found |= {f"{side}.token_embedding.weight": tensor for side in ("encoder", "decoder")}
            continue
        side, number, layer, *rest = name.split(".")
        place = f"{side}.stack.blocks.{number}.{layer}"
        if rest[0] in ("key", "value"):
            continue
        if rest[0] == "query":
            base = f"{side}.{number}.{layer}"
            parts = [tensors[f"{base}.{part}.weight"] for part in ("query", "key", "value")]
            found[f"{place}.qkv.weight"] = torch.cat(parts)
        else:
            found[".".join([place, *rest])] = tensor
    return found


@every_shape
@pytest.mark.parametrize("pairs", [PAIRS, PAIRS[1:2]])
def test_logits_and_gradients_are_the_library_s(d_model, n_heads, n_layers, pairs):
    ours, theirs = twins(d_model, n_heads, n_layers)
    source, lengths, inputs, targets = make_batch(pairs, START, END)
    logits, expected = ours(source, lengths, inputs), theirs(source, inputs, lengths)
    assert_close(logits, expected, rtol=0, atol=1e-10)
    loss = loss_of(ours, source, lengths, inputs, targets)
    library = translation_loss(theirs, (source, lengths, inputs, targets), label_smoothing=0.1)
    assert_close(loss, library, rtol=0, atol=1e-10)
    loss.backward()
    library.backward()
    gradients = in_library({name: parameter.grad for name, parameter in ours.named_parameters()})
    for name, parameter in theirs.named_parameters():
        assert_close(gradients[name], parameter.grad, rtol=0, atol=1e-10, msg=name)


def test_an_update_is_the_library_s():
    ours, theirs = twins(8, 2, 2)
    batch = source, lengths, inputs, targets = make_batch(PAIRS, START, END)
    options = {"betas": (0.9, 0.98), "eps": 1e-9}
    train_step(ours, torch.optim.Adam(ours.parameters(), **options), batch, 40)
    rate = 1e-3 * learning_rate_factor("inverse-sqrt", 40, steps=1000, warmup_steps=200)
    optimizer = torch.optim.Adam(theirs.parameters(), lr=rate, **options)
    translation_loss(theirs, (source, lengths, inputs, targets), label_smoothing=0.1).backward()
    optimizer.step()
    updated = in_library(ours.state_dict())
    for name, parameter in theirs.named_parameters():
        assert_close(updated[name], parameter.detach(), rtol=0, atol=1e-10, msg=name)


@pytest.mark.parametrize("step", [0, 1, 199, 200, 5000])
def test_the_learning_rate_is_the_library_s_schedule(step):
    expected = learning_rate_factor("inverse-sqrt", step, steps=10_000, warmup_steps=200)
    assert learning_rate(step, peak=1.0) == pytest.approx(expected)


def test_the_waves_are_the_library_s():
    assert_close(waves(20, 8), sinusoids(20, 8))


def test_greedy_translations_are_the_library_s():
    ours, theirs = twins(8, 2, 2)
    source, lengths, _, _ = make_batch(PAIRS, START, END)
    found = translate(ours, source, lengths, START, END, longest=9)
    nothing = torch.empty(len(PAIRS), 0, dtype=torch.long)
    expected = generate(theirs.condition(source, lengths), nothing, 9, temperature=0.0, end_token=END)
    assert torch.equal(found, expected)


def test_padding_and_later_targets_change_nothing_before_them():
    ours, _ = twins(8, 2, 2)
    source, lengths, inputs, _ = make_batch(PAIRS, START, END)
    before = ours(source, lengths, inputs)
    other = source.masked_fill(torch.arange(source.shape[1]) >= lengths[:, None], 7)
    assert torch.equal(ours(other, lengths, inputs), before)
    inputs[:, 2] = 9
    assert torch.equal(ours(source, lengths, inputs)[:, :2], before[:, :2])


def test_a_batch_shifts_the_target_and_ends_it():
    source, lengths, inputs, targets = make_batch(PAIRS[:2], START, END)
    assert source.tolist() == [[2, 3, 4], [7, END, END]] and lengths.tolist() == [3, 1]
    assert inputs.tolist() == [[START, 5, 6, END, END], [START, 8, 9, 10, 2]]
    assert targets.tolist() == [[5, 6, END, PADDING, PADDING], [8, 9, 10, 2, END]]


@pytest.mark.slow
def test_it_learns_to_turn_sequences_around():
    torch.manual_seed(0)
    numbers = torch.randint(2, VOCAB, (200, 4)).tolist()
    pairs = [(row, row[::-1]) for row in numbers]
    model = Translator(VOCAB, d_model=32, n_heads=2, n_layers=1)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
    for step in range(250):
        some = [pairs[i] for i in torch.randint(200, (64,)).tolist()]
        train_step(model, optimizer, make_batch(some, START, END), step, peak=5e-3, warmup=50)
    source, lengths, _, _ = make_batch(pairs[:50], START, END)
    found = translate(model, source, lengths, START, END, longest=6)
    assert (found[:, :4] == source.flip(1)).all(1).double().mean() > 0.9
    assert (found[:, 4] == END).double().mean() > 0.9


def test_it_is_one_short_file_that_needs_pytorch_alone():
    source = inspect.getsource(one_file_translator)
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {getattr(node, "module", None) or node.names[0].name for node in imports}
    assert {module.partition(".")[0] for module in modules} == {"torch"}
    assert len(source.splitlines()) <= 220
    assert max(map(len, source.splitlines())) <= 80
