"""The Transformer without one of its parts."""

import pytest
import torch
from block_cases import made_block

from transformer_lib.experiments.chapter_10 import parts
from transformer_lib.experiments.shared.small_tales import tales
from transformer_lib.experiments.shared.thank_you import questions
from transformer_lib.transformer.masks import Mask


def test_the_block_with_all_its_parts_is_the_library_s():
    torch.manual_seed(0)
    ours, library = parts.Block(8, 2).double(), made_block(8, 2, norm="pre", bias=True).double()
    library.attention.load_state_dict(ours.attention.state_dict(), strict=False)
    for theirs, mine in (
        (library.attention_norm, ours.attention_norm),
        (library.feed_forward_norm, ours.feed_forward_norm),
    ):
        theirs.gain.data, theirs.bias.data = mine.weight.data, mine.bias.data
    library.feed_forward.up.load_state_dict(ours.feed_forward[0].state_dict())
    library.feed_forward.down.load_state_dict(ours.feed_forward[2].state_dict())
    x = torch.randn(3, 5, 8, dtype=torch.float64)
    torch.testing.assert_close(ours(x, Mask.causal()), library(x, Mask.causal()), rtol=0, atol=1e-10)


@pytest.mark.parametrize("without", parts.PARTS)
def test_what_is_left_out_has_no_gradient_and_the_rest_has(without):
    torch.manual_seed(0)
    model = parts.Transformer(20, 2, without=without)
    model(torch.tensor([[3, 1, 2, 4]])).square().sum().backward()
    idle = {name for name, p in model.named_parameters() if p.grad is None or not p.grad.any()}
    left_out = {
        "attention": ("attention.", "attention_norm"),
        "network": ("feed_forward.", "feed_forward_norm"),
        "residual": (),
        "norm": ("attention_norm", "feed_forward_norm"),
        "places": ("places",),
    }[without]
    assert idle == {name for name, _ in model.named_parameters() if any(part in name for part in left_out)}


def test_without_the_residual_connection_the_block_forgets_what_its_branches_do_not_say():
    torch.manual_seed(0)
    x = torch.randn(1, 4, 8)
    for without, stays in (("", True), ("residual", False)):
        block = parts.Block(8, 2, without=without)
        for branch in (block.attention, block.feed_forward):
            for parameter in branch.parameters():
                torch.nn.init.zeros_(parameter)
        assert torch.equal(block(x), x) == stays


def test_the_share_of_right_names_counts_the_questions():
    class Answers(torch.nn.Module):
        """Knows the first three."""

        def forward(self, tokens):
            known = {tuple(q.prompt.tolist()): q.name for q in questions()[:3]}
            logits = torch.zeros(1, tokens.shape[1], tales().tokenizer.vocab_size)
            logits[0, -1, known.get(tuple(tokens[0].tolist()), tales().tokenizer.end_token)] = 1
            return logits

    assert parts.right(Answers(), questions()[:12]) == 3 / 12


def test_a_run_is_the_same_twice_and_the_whole_model_also_writes():
    setting = {"blocks": 2, "rate": 0.01, "steps": 2}
    found = parts.measure(0, without="network", **setting)
    assert found == parts.measure(0, without="network", **setting)
    assert set(found) == {"nats", "near", "far"}
    assert len(set(parts.measure(0, without="nothing", **setting)["stories"])) == 3
