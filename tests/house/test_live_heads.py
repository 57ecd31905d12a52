"""The live figure `attention`: its heads look where its text says, and its weights survive their script."""

import torch
from live_heads import SHAPE, Heads, habits, mask, read, train, write

from transformer_lib.transformer.attention import attention_weights
from transformer_lib.transformer.masks import Mask


def test_one_head_looks_at_the_word_before_and_three_look_behind_the_same_word() -> None:
    found = habits(read()[0])
    first, second = found[: SHAPE["n_heads"]], found[SHAPE["n_heads"] :]
    assert max(head["the word before"] for head in first) > 0.8, "train the heads again, tools/live_heads.py"
    behind = sorted(head["behind the same word"] for head in second)
    assert behind[-3] > 0.7, "train the heads again, tools/live_heads.py"


def test_the_masks_are_the_librarys() -> None:
    torch.manual_seed(0)
    x = torch.randn(1, 9, 8)
    layer = Heads(8, 2)
    q, k, _ = (part.unflatten(-1, (2, 4)).transpose(1, 2) for part in layer.qkv(layer.norm(x)).chunk(3, -1))
    for name, the_library in {
        "causal mask": Mask.causal(),
        "window of 4": Mask.window(4),
        "no mask": None,
    }.items():
        found = layer(x, mask(name, 9))[1]
        torch.testing.assert_close(found, attention_weights(q, k, the_library))


def test_a_model_is_read_as_it_was_written_but_for_the_rounding(tmp_path) -> None:
    model, words = train(steps=2)
    write(model, words, tmp_path / "weights.js")
    again, same_words = read(tmp_path / "weights.js")
    assert same_words == words, "write the words in the order of their numbers"
    for name, tensor in model.state_dict().items():
        torch.testing.assert_close(again.state_dict()[name].float(), tensor, rtol=0, atol=0.01)
