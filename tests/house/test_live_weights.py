"""The weights of the live figure gpt are what its command writes, and its model has learned the tales."""

from pathlib import Path

import live_weights
import pytest
import torch
from live_weights import PATH, SHAPE, packed, read, right_names, tales, train, unpacked, write

from transformer_lib.data import token_stream
from transformer_lib.one_file_gpt import next_token_loss

CORPUS = tales()


def test_a_packed_matrix_is_off_by_half_a_step_of_its_row_at_most() -> None:
    matrix = torch.randn(7, 5, generator=torch.Generator().manual_seed(0)) * torch.logspace(-3, 2, 7)[:, None]
    scales = torch.tensor(packed(matrix)["scales"]).double()[:, None]
    off = (unpacked(packed(matrix)) - matrix).abs()
    assert bool((off <= 0.51 * scales).all()), "round each number to the nearest step of its row"


def test_what_the_command_writes_is_read_back(tmp_path: Path) -> None:
    model = train(CORPUS, steps=1)
    write(model, ["a"] * CORPUS.tokenizer.vocab_size, tmp_path / "weights.js")
    again, words = read(tmp_path / "weights.js")
    assert words == ["a"] * CORPUS.tokenizer.vocab_size, "keep the words of the vocabulary in their order"
    for name, tensor in model.state_dict().items():
        torch.testing.assert_close(
            again.state_dict()[name].float(),
            tensor,
            rtol=0.02,
            atol=0.01,
            msg=f"{name} is not what was written: compare packed and unpacked in tools/live_weights.py",
        )


@pytest.mark.slow
def test_the_committed_model_has_learned_what_chapter_11_says_of_its_own() -> None:
    model, words = read()
    tokens = torch.from_numpy(token_stream(CORPUS.test, CORPUS.tokenizer))[: 97 * 100].view(100, 97)
    with torch.no_grad():
        loss = next_token_loss(model(tokens[:, :-1]), tokens[:, 1:])
    assert words == [CORPUS.tokenizer.decode([at]) for at in range(len(words))], (
        f"the tales have other words now: run python tools/live_weights.py, which writes {PATH.name}"
    )
    assert model.context_length == SHAPE["context_length"], (
        f"run {live_weights.__name__}: the shape has changed"
    )
    assert float(loss) < 1.1, "the model of the live figure gpt has not learned the tales: train it longer"
    assert right_names(model, CORPUS) > 0.95, (
        "the model of the live figure gpt does not know who says thank you"
    )
