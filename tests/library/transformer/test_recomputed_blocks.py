"""Blocks that are computed again for the gradient have the same gradient, and keep little for it."""

import subprocess
import sys

import pytest
import torch
from drawn import exactly, generator, tokens
from torch.autograd.graph import saved_tensors_hooks

from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.stack import TransformerStack
from transformer_lib.transformer.transformer_xl import TransformerXL, TransformerXLConfig

SHAPE = {"vocab_size": 7, "context_length": 10, "d_model": 8, "n_heads": 2, "n_layers": 2, "dropout": 0.3}
TEXT = tokens(3, 10, vocab_size=7)
COMPILED = """
import torch
from transformer_lib import DecoderLM, TransformerConfig

model = DecoderLM(TransformerConfig(7, 10, d_model=8, n_heads=2, n_layers=2, dropout=0.3)).double()
text = torch.arange(30).reshape(3, 10) % 7

def gradients(run):
    model.zero_grad()
    torch.manual_seed(1)
    run(text).square().mean().backward()
    return [parameter.grad.clone() for parameter in model.parameters()]

plain = gradients(model)
model.stack.recomputes = True
again = gradients(torch.compile(model, backend="aot_eager", fullgraph=True))
print(max((one - other).abs().max().item() for one, other in zip(plain, again)))
"""


def decoder(**changes) -> DecoderLM:
    return DecoderLM(TransformerConfig(**SHAPE | changes), generator=generator())


def sharing_rows(model: DecoderLM) -> torch.Tensor:
    """Two texts in each row: the mask and the positions have to come to the second computation, too."""
    apart = Mask.from_dense(torch.block_diag(torch.ones(4, 4), torch.ones(6, 6)).bool())
    ids = torch.tensor([*range(4), *range(6)]).expand(3, -1)
    return model.logits(TEXT, position_ids=ids, mask=apart)


def segments(model: TransformerXL) -> torch.Tensor:
    first, state = model.logits_and_state(TEXT[:, :5])
    second, _ = model.logits_and_state(TEXT[:, 5:], state)
    return torch.cat([first, second], dim=1)


def translator() -> EncoderDecoder:
    return EncoderDecoder(TransformerConfig(**SHAPE), generator=generator())


def long_memory() -> TransformerXL:
    config = TransformerXLConfig(7, 5, d_model=8, n_heads=2, n_layers=2, dropout=0.3)
    return TransformerXL(config, generator=generator())


CASES = {
    "pre-norm": (decoder, lambda model: model(TEXT)),
    "post-norm": (lambda: decoder(norm="post"), lambda model: model(TEXT)),
    "Macaron": (lambda: decoder(macaron=True), lambda model: model(TEXT)),
    "rotary": (lambda: decoder(positions="rotary"), sharing_rows),
    "translator": (translator, lambda model: model(TEXT, TEXT[:, :6], torch.tensor([10, 4, 7]))),
    "Transformer-XL": (long_memory, segments),
}


def stacks(model: torch.nn.Module) -> list[TransformerStack]:
    return [part for part in model.modules() if isinstance(part, TransformerStack)]


@pytest.mark.parametrize("name", CASES)
def test_the_gradient_is_the_same_with_the_same_dropout(name):
    build, run = CASES[name]
    model = build().double().train()
    found = {}
    for again in (False, True):
        for stack in stacks(model):
            stack.recomputes = again
        model.zero_grad()
        torch.manual_seed(1)
        out = run(model)
        out.square().mean().backward()
        left = torch.rand(())  # what is drawn next is not changed either
        gradients = {key: value.grad.clone() for key, value in model.named_parameters()}
        found[again] = {"": out.detach(), "left": left} | gradients
    assert len(found[True]) > 8
    exactly(found[True], found[False])


@pytest.mark.parametrize(
    ("training", "gradient", "cached", "times"),
    [(True, True, False, 2), (True, False, False, 1), (False, True, False, 1), (True, True, True, 1)],
)
def test_a_block_is_computed_twice_only_where_training_needs_its_gradient(training, gradient, cached, times):
    stack = decoder(positions="none").stack.train(training)
    stack.recomputes = True
    entered = []
    stack.blocks[0].register_forward_pre_hook(lambda *_: entered.append(1))
    with torch.set_grad_enabled(gradient):
        x = torch.ones(2, 3, 8, requires_grad=True)
        y = stack(x, Mask.causal(), caches=stack.new_caches(2, 3) if cached else None)
    if gradient:
        y.sum().backward()
    assert len(entered) == times


def kept_for_the_gradient(model: DecoderLM, text: torch.Tensor) -> int:
    """Bytes of what the graph keeps besides the parameters, the inputs of recomputed blocks among them."""
    kept: dict[int, int] = {}
    held = []  # so that no memory is used twice

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        held.append(tensor)
        kept[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    for block in model.stack.blocks if model.stack.recomputes else ():
        block.register_forward_pre_hook(lambda _, inputs: (keep(inputs[0]), None)[1])
    with saved_tensors_hooks(keep, lambda tensor: tensor):
        model(text).logsumexp(-1).sum()
    weights = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    return sum(size for place, size in kept.items() if place not in weights)


def test_less_than_a_quarter_is_kept():
    sizes = []
    for again in (False, True):
        model = decoder(n_layers=6, d_model=32, context_length=32)
        model.stack.recomputes = again
        sizes.append(kept_for_the_gradient(model, tokens(4, 32, vocab_size=7)))
    assert 0 < sizes[1] < sizes[0] / 4, sizes


@pytest.mark.slow
def test_compiled_blocks_are_computed_again_with_the_same_dropout():
    """In a process of its own, for the tests' type checks cannot be compiled."""
    run = subprocess.run([sys.executable, "-c", COMPILED], capture_output=True, text=True, timeout=240)
    assert run.returncode == 0, run.stderr[-3000:]
    assert float(run.stdout) < 1e-12
