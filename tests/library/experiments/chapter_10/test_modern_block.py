"""What today's models changed, measured at equal parameters."""

import pytest

from transformer_lib.experiments.chapter_10.modern_block import DESIGNS, RATES, SHAPE, STDS, measure, shape
from transformer_lib.transformer.language_model import DecoderLM


@pytest.mark.slow
def test_every_design_has_the_parameters_of_the_sources_form():
    sizes = {design: DecoderLM(shape(design)).n_parameters() for design in DESIGNS}
    assert all(abs(size - sizes["sources"]) < 1e-3 * sizes["sources"] for size in sizes.values())


@pytest.mark.slow
def test_a_design_changes_what_it_is_named_after_and_the_width_that_makes_up_for_it():
    changed = {
        "sources": set(),
        "RMSNorm": {"norm_kind"},
        "SwiGLU": {"activation", "gated"},
        "rotary": {"positions"},
        "all three": {"norm_kind", "activation", "gated", "positions"},
    }
    assert {design: set(options) - {"d_ff"} for design, options in DESIGNS.items()} == changed
    assert SHAPE["activation"] == "relu" and shape("sources").positions == "learned"


@pytest.mark.slow
def test_a_seed_gives_the_same_again_and_designs_and_rates_differ():
    first = measure(0, design="sources", std=0.02, rate=RATES[0], steps=2)
    assert first == measure(0, design="sources", std=0.02, rate=RATES[0], steps=2)
    for change in ({"design": "all three"}, {"rate": RATES[1]}, {"std": STDS[1]}):
        other = measure(0, **{"design": "sources", "std": 0.02, "rate": RATES[0]} | change, steps=2)
        assert other["nats"] != first["nats"]
    assert first["nats"] == pytest.approx(5.2, abs=0.3)
