"""The GPT in one file is the library's language model: forward, backward, one update, and what it samples."""

import ast
import inspect

import pytest
import torch
from torch.testing import assert_close

from transformer_lib import DecoderLM, TransformerConfig, generate, one_file_gpt
from transformer_lib.one_file_gpt import GPT, get_batch, loss_of, make_optimizer, train_step
from transformer_lib.training import TrainingConfig, language_model_loss, optimizers

VOCAB, CONTEXT = 11, 6
SHAPES = [(8, 2, 2), (6, 1, 1), (12, 4, 3)]
every_shape = pytest.mark.parametrize(("d_model", "n_heads", "n_layers"), SHAPES)


def twins(d_model, n_heads, n_layers):
    """The model of one file and the library's, with the same weights, none of them the trivial ones."""
    torch.manual_seed(3)
    ours = GPT(VOCAB, CONTEXT, d_model, n_heads, n_layers).double()
    for parameter in ours.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    config = TransformerConfig(VOCAB, CONTEXT, d_model=d_model, n_heads=n_heads, n_layers=n_layers)
    theirs = DecoderLM(config).double()
    theirs.load_state_dict({in_library(name): value for name, value in ours.state_dict().items()})
    return ours, theirs


def in_library(name):
    name = name.replace("tokens.weight", "token_embedding.weight").replace(
        "places.", "stack.positions.table."
    )
    name = f"stack.{name}" if name.startswith(("blocks.", "final_norm.")) else name
    return name.replace("norm.weight", "norm.gain")


def tokens(batch, time, seed=0):
    return torch.randint(VOCAB, (batch, time), generator=torch.Generator().manual_seed(seed))


@every_shape
@pytest.mark.parametrize(("batch", "time"), [(1, 1), (3, CONTEXT), (2, 4)])
def test_logits_and_gradients_are_the_library_s(d_model, n_heads, n_layers, batch, time):
    ours, theirs = twins(d_model, n_heads, n_layers)
    x, y = tokens(batch, time), tokens(batch, time, seed=1)
    assert_close(ours(x), theirs.logits(x), rtol=0, atol=1e-10)
    loss, expected = loss_of(ours, x, y), language_model_loss(theirs, (x, y))
    assert_close(loss, expected, rtol=0, atol=1e-10)
    loss.backward()
    expected.backward()
    found = dict(theirs.named_parameters())
    for name, parameter in ours.named_parameters():
        assert_close(parameter.grad, found[in_library(name)].grad, rtol=0, atol=1e-10, msg=name)


@every_shape
def test_an_update_is_the_library_s(d_model, n_heads, n_layers):
    ours, theirs = twins(d_model, n_heads, n_layers)
    x, y = tokens(3, CONTEXT), tokens(3, CONTEXT, seed=1)
    train_step(ours, make_optimizer(ours, learning_rate=0.01), x, y, clip_norm=0.5)
    (optimizer,) = optimizers(theirs, TrainingConfig(steps=1, learning_rate=0.01))
    language_model_loss(theirs, (x, y)).backward()
    torch.nn.utils.clip_grad_norm_(theirs.parameters(), 0.5)
    optimizer.step()
    found = dict(theirs.named_parameters())
    for name, parameter in ours.named_parameters():
        assert_close(parameter, found[in_library(name)], rtol=0, atol=1e-10, msg=name)


@pytest.mark.parametrize("options", [{}, {"temperature": 0.5}, {"top_k": 3}])
def test_the_same_generator_draws_the_library_s_tokens(options):
    """The library puts its start token before a prompt, so that is where ours begins; both read 6 tokens."""
    ours, theirs = twins(8, 2, 2)
    prompt = tokens(2, 3)
    drawn = [torch.Generator().manual_seed(5) for _ in range(2)]
    start = torch.full((2, 1), theirs.start_token)
    found = one_file_gpt.generate(ours, torch.cat([start, prompt], 1), 9, generator=drawn[0], **options)
    assert torch.equal(found[:, 1:], generate(theirs, prompt, 9, generator=drawn[1], **options))


def test_a_later_token_cannot_change_an_earlier_prediction():
    ours, _ = twins(8, 2, 2)
    x = tokens(2, CONTEXT)
    changed = x.clone()
    changed[:, 3] = (x[:, 3] + 1) % VOCAB
    assert torch.equal(ours(x)[:, :3], ours(changed)[:, :3])
    assert (ours(x)[:, 3:] != ours(changed)[:, 3:]).any(-1).all()


def test_a_batch_holds_windows_of_the_text_and_the_token_after_each():
    text = torch.arange(40)
    x, y = get_batch(text, 500, 5, torch.Generator().manual_seed(0))
    assert x.shape == y.shape == (500, 5)
    assert torch.equal(y, x + 1) and x.min() == 0 and y.max() == 39


def test_the_initial_weights_are_gpt_2_s():
    torch.manual_seed(0)
    model = GPT(500, 64, d_model=128, n_heads=4, n_layers=2)
    for name, parameter in model.named_parameters():
        if parameter.dim() == 2:
            std = 0.01 if name.endswith(("output.weight", "down.weight")) else 0.02
            assert parameter.std().item() == pytest.approx(std, rel=0.05), name


def test_a_sentence_that_repeats_is_learned():
    torch.manual_seed(0)
    text = torch.tensor([0, 1, 2, 3, 1, 4] * 20)
    model = GPT(5, 12, d_model=32, n_heads=2, n_layers=1)
    optimizer = make_optimizer(model, learning_rate=1e-2)
    losses = [train_step(model, optimizer, *get_batch(text, 8, 12)) for _ in range(60)]
    assert losses[0] > 1.5 and losses[-1] < 0.2


def test_it_is_one_short_file_that_needs_pytorch_alone():
    source = inspect.getsource(one_file_gpt)
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {getattr(node, "module", None) or node.names[0].name for node in imports}
    assert {module.partition(".")[0] for module in modules} == {"torch"}
    assert len(source.splitlines()) <= 150
    assert max(map(len, source.splitlines())) <= 80
