"""The GPT in one file computes what DecoderLM does: logits, gradients, updates and samples."""

import ast
import json
import sys
from pathlib import Path

import pytest
import torch
from density_cases import randomize
from one_file import imported_packages, run_example, source_of
from torch.testing import assert_close

from transformer_lib import DecoderLM, TransformerConfig, generate, one_file_gpt
from transformer_lib.one_file_gpt import GPT, get_batch, make_optimizer, next_token_loss, train_step
from transformer_lib.training import TrainingConfig, language_model_loss, train

SHAPES = {
    "several of all": {"vocab_size": 11, "context_length": 7, "d_model": 12, "n_heads": 3, "n_layers": 3},
    "one head": {"vocab_size": 5, "context_length": 4, "d_model": 6, "n_heads": 1, "n_layers": 1},
    "heads of one feature": {"vocab_size": 3, "context_length": 6, "d_model": 4, "n_heads": 4, "n_layers": 2},
    "a context of one": {"vocab_size": 5, "context_length": 1, "d_model": 4, "n_heads": 2, "n_layers": 2},
}
every_shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
SMALL = SHAPES["several of all"]
RENAMED = {
    "stack.positions.table.": "position_embedding.",
    "stack.": "",
    "attention_norm.gain": "norm_1.weight",
    "attention_norm.": "norm_1.",
    "feed_forward_norm.gain": "norm_2.weight",
    "feed_forward_norm.": "norm_2.",
    "final_norm.gain": "final_norm.weight",
}


def renamed(tensors):
    """The library's tensors under the names of the one file."""
    found = {}
    for name, tensor in tensors.items():
        for before, after in RENAMED.items():
            name = name.replace(before, after)
        found[name] = tensor
    return found


def twins(shape=SMALL, scale=0.5):
    """The library's model and, with the same weights, that of the one file."""
    model = randomize(DecoderLM(TransformerConfig(**shape)), scale=scale).double()
    twin = GPT(**shape).double()
    twin.load_state_dict(renamed(model.state_dict()))
    return model, twin


def tokens(shape, *size, seed=0):
    return torch.randint(shape["vocab_size"], size, generator=torch.Generator().manual_seed(seed))


def assert_same(ours, theirs, what, tolerance=1e-11):
    assert ours.keys() == theirs.keys(), f"{what} have other names: correct RENAMED"
    for name, tensor in ours.items():
        assert_close(
            tensor,
            theirs[name],
            rtol=tolerance,
            atol=tolerance,
            msg=lambda found, name=name: f"{what} differ in {name}: change the file or DecoderLM\n{found}",
        )


@every_shape
@pytest.mark.parametrize("batch", [1, 3])
def test_logits_and_gradients_are_the_librarys_at_every_length(shape, batch):
    for time in range(1, shape["context_length"] + 1):
        model, twin = twins(shape)
        inputs, targets = tokens(shape, batch, time), tokens(shape, batch, time, seed=1)
        assert_same({"logits": twin(inputs)}, {"logits": model.logits(inputs)}, "the results")
        loss, twin_loss = (
            language_model_loss(model, (inputs, targets)),
            next_token_loss(twin(inputs), targets),
        )
        assert_same({"loss": twin_loss}, {"loss": loss}, "the results")
        loss.backward()
        twin_loss.backward()
        gradients, twin_gradients = (
            {name: parameter.grad for name, parameter in one.named_parameters()} for one in (model, twin)
        )
        assert_same(twin_gradients, renamed(gradients), "the gradients")


def test_equal_generators_draw_the_librarys_initial_weights():
    model = DecoderLM(TransformerConfig(**SMALL), generator=torch.Generator().manual_seed(3))
    twin = GPT(**SMALL)
    twin.init_weights(torch.Generator().manual_seed(3))
    assert_same(twin.state_dict(), renamed(model.state_dict()), "the initial weights", tolerance=0)


class Given:
    """Training data that a test has made."""

    def __init__(self, batches):
        self.batch = batches.__getitem__


@pytest.mark.parametrize("scale", [0.02, 1.0], ids=["small gradients", "gradients that are clipped"])
def test_training_steps_are_those_of_the_librarys_loop(scale):
    model, twin = twins(scale=scale)
    batches = [(tokens(SMALL, 4, 7, seed=n), tokens(SMALL, 4, 7, seed=100 + n)) for n in range(3)]
    next_token_loss(twin(batches[0][0]), batches[0][1]).backward()
    norm = torch.cat([parameter.grad.flatten() for parameter in twin.parameters()]).norm()
    assert (norm > 1) == (scale == 1.0), f"a gradient of norm {norm:.2f} does not test this: change the scale"

    settings = TrainingConfig(
        steps=len(batches), learning_rate=0.01, schedule="constant", warmup_steps=0, device="cpu"
    )
    result = train(model, language_model_loss, Given(batches), settings, progress=False)
    optimizer = make_optimizer(twin, learning_rate=0.01)
    losses = [train_step(twin, optimizer, *batch) for batch in batches]

    assert losses == pytest.approx(result.losses, rel=1e-9), "train_step returns the loss before its update"
    assert_same(twin.state_dict(), renamed(model.state_dict()), "the trained weights", tolerance=1e-9)


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize(
    "settings",
    [{}, {"temperature": 0.5}, {"temperature": 1.7, "top_k": 4}, {"top_k": 1}, {"top_k": 50}],
    ids=str,
)
def test_equal_generators_draw_the_librarys_samples_also_beyond_the_context(settings, batch):
    model, twin = twins(scale=0.3)
    prompt = tokens(SMALL, batch, 3)
    generators = [torch.Generator().manual_seed(5) for _ in range(2)]
    expected = generate(model, prompt, 20, **settings, generator=generators[0])
    start = torch.zeros(batch, 1, dtype=torch.long)  # the library puts it before the prompt
    found = twin.generate(torch.cat([start, prompt], dim=1), 20, **settings, generator=generators[1])
    assert found[:, 1:].tolist() == expected.tolist(), "generate draws other tokens than the library's"


def test_a_later_token_cannot_change_an_earlier_prediction():
    twin = twins()[1]
    inputs = tokens(SMALL, 2, 7)
    before = twin(inputs)
    for t in range(7):
        changed = inputs.clone()
        changed[:, t] = (changed[:, t] + 1) % SMALL["vocab_size"]
        after = twin(changed)
        assert torch.equal(after[:, :t], before[:, :t]), f"token {t} reaches a prediction before it"
        moved = (after[:, t:] - before[:, t:]).abs().amax(-1)
        assert (moved > 1e-6).all(), f"token {t} does not reach all predictions from its own on"


def test_a_batch_is_windows_of_the_text_with_the_next_tokens_as_targets():
    text = torch.arange(10, 20)
    inputs, targets = get_batch(text, 300, 4, torch.Generator().manual_seed(0))
    assert inputs.shape == targets.shape == (300, 4), "get_batch gives (batch, time) twice"
    assert torch.equal(targets, inputs + 1), "a target is the token after its input"
    assert torch.equal(inputs, inputs[:, :1] + torch.arange(4)), "a window is consecutive tokens"
    starts = set(inputs[:, 0].tolist())
    assert starts == set(range(10, 16)), "every place that has a whole window and a target is drawn"


def test_equal_generators_draw_equal_batches():
    torch.manual_seed(0)
    first, again = (get_batch(torch.arange(1000), 8, 4, torch.Generator().manual_seed(2)) for _ in range(2))
    assert torch.equal(first[0], again[0]), "get_batch is to draw its windows from the generator it is given"


def test_it_learns_a_sentence_by_heart_in_seconds():
    sentence = "a model learns what follows what. "
    characters = sorted(set(sentence))
    text = torch.tensor([characters.index(c) for c in 20 * sentence])
    torch.manual_seed(0)
    model = GPT(len(characters), 16, d_model=32, n_heads=2, n_layers=2)
    optimizer = make_optimizer(model, learning_rate=0.01)
    losses = [train_step(model, optimizer, *get_batch(text, 8, 16)) for _ in range(150)]
    assert losses[0] > 2, "before training, all characters should be about equally likely"
    assert losses[-1] < 0.3, "150 steps should leave little but the first characters of a window to guess"
    found = model.generate(text[None, :16], n=68, top_k=1)[0]
    assert torch.equal(found, text[:84]), "the likeliest continuation of a sentence should be the sentence"


def test_the_example_of_the_docstring_writes_text(capsys):
    run_example(one_file_gpt, steps=2, text="To be, or not to be: that is the question.\n" * 3)
    written = capsys.readouterr().out
    assert written.startswith("T"), "the example prints its prompt, the first character of the text"
    assert len(written) == 302, "the example prints the prompt, 300 characters more and a line's end"


def test_the_file_needs_torch_alone_and_fits_a_page():
    assert imported_packages(one_file_gpt) - sys.stdlib_module_names == {"torch"}, "import torch and no more"
    lines = source_of(one_file_gpt).splitlines()
    assert len(lines) <= 150, f"a chapter shows the file whole: {len(lines)} lines are more than 150"
    wide = [line for line in lines if len(line) > 80]
    assert wide == [], "a page has 80 columns: break these lines"


def test_the_cells_of_chapter_11_are_this_file_without_its_docstrings():
    chapter = Path(__file__).resolve().parents[2] / "chapters" / "11_language_model.ipynb"
    cells = json.loads(chapter.read_text(encoding="utf-8"))["cells"]
    page = ["".join(cell["source"]) for cell in cells if "one-file" in cell["metadata"].get("tags", [])]
    tree = ast.parse(source_of(one_file_gpt))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            del node.body[0]
    assert ast.dump(ast.parse("\n".join(page))) == ast.dump(tree), "write the cells tagged one-file again"
