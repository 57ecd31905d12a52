"""Blocks with the network behind attention, around it and cut in two."""

import pytest
import torch

from transformer_lib.experiments.chapter_19.macaron_language import (
    N_LAYERS,
    ORDERS,
    WINDOW,
    OrderedLM,
    measure,
)
from transformer_lib.transformer.block_variants import MacaronBlock


def model(order):
    return OrderedLM(order, 20, generator=torch.Generator().manual_seed(0)).double()


def test_the_orders_have_the_same_parameters_but_for_a_norm_a_block():
    sizes = {order: sum(p.numel() for p in model(order).parameters()) for order in ORDERS}
    norm = sum(p.numel() for p in model("Macaron").final_norm.parameters())
    assert sizes["Macaron"] == sizes["behind"] == sizes["standard"] + N_LAYERS * norm


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("batch", "time"), [(1, 1), (2, WINDOW)])
def test_no_order_sees_ahead_and_every_network_gets_a_gradient(order, batch, time):
    lm = model(order)
    tokens = torch.randint(20, (batch, time), generator=torch.Generator().manual_seed(1))
    changed = tokens.clone()
    changed[:, -1] = (tokens[:, -1] + 1) % 20
    before, after = lm(tokens), lm(changed)
    torch.testing.assert_close(before[:, :-1], after[:, :-1])
    before.square().sum().backward()
    networks = [parameter for name, parameter in lm.named_parameters() if "feed_forward" in name]
    assert all(parameter.grad.abs().sum() > 0 for parameter in networks)


def test_behind_differs_from_macaron_in_where_the_first_network_stands():
    """With a first network of zeros both are attention and half a network."""
    behind, around = model("behind").blocks[0], model("Macaron").blocks[0]
    assert isinstance(behind, MacaronBlock)
    around.load_state_dict(behind.state_dict())
    x = torch.randn(2, 5, 48, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    assert not torch.allclose(behind(x), around(x))
    for block in (behind, around):
        for parameter in block.first_feed_forward.parameters():
            torch.nn.init.zeros_(parameter)
    torch.testing.assert_close(behind(x), around(x))


def test_a_seed_gives_the_same_losses_again():
    one, again = (measure(0, order="Macaron", rate=0.003, steps=2) for _ in range(2))
    assert one == again and one["best step"] in (1, 2)
