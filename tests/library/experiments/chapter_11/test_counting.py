"""The networks that are compared with counting: their size, what they read, and what NADE may see."""

import pytest
import torch

from transformer_lib.density.nade import NADE
from transformer_lib.experiments.chapter_10 import whole_transformer
from transformer_lib.experiments.chapter_11 import counting


def test_four_kinds_are_of_one_size_and_the_large_nade_is_larger():
    sizes = {
        kind: sum(p.numel() for p in counting.build(kind, torch.Generator()).parameters())
        for kind in counting.KINDS
    }
    assert sizes.pop("large NADE") > 700_000
    assert all(size == pytest.approx(70_944, rel=0.03) for size in sizes.values())


@pytest.mark.parametrize("kind", counting.KINDS)
def test_a_later_word_cannot_change_a_prediction(kind):
    model = counting.build(kind, torch.Generator().manual_seed(0)).eval()
    tokens = whole_transformer.read(whole_transformer.tales().test[:2])[0][:, :12]
    other = tokens.clone()
    other[:, 7] = (other[:, 7] + 5) % 192
    with torch.no_grad():
        before, after = model(tokens), model(other)
    torch.testing.assert_close(before[:, :7], after[:, :7])
    assert not torch.allclose(before[:, 7:], after[:, 7:])


def test_what_reads_a_nade_gives_its_own_probabilities():
    nade = NADE(6, 5, 3, generator=torch.Generator().manual_seed(0))
    x = torch.tensor([[1, 4, 2, 0], [3, 3, 1, 2]])
    start = torch.zeros(2, 1, dtype=torch.long)
    logits = counting.NadeReader(nade)(torch.cat([start, x[:, :-1]], 1))
    torch.testing.assert_close(
        logits.log_softmax(-1).gather(2, x[..., None])[..., 0], nade.conditional_log_probs(x)
    )


@pytest.mark.slow
def test_a_seed_gives_the_same_again_and_other_stories_another_model():
    setting = {"kind": "NADE", "steps": 3, "rate": 0.1}
    losses = [
        whole_transformer.test_loss(
            counting.train(0, stories=stories, **setting), whole_transformer.tales().test[:5]
        )
        for stories in (4, 4, 40)
    ]
    assert losses[0] == losses[1] != losses[2]
