"""Language models at equal compute: budgets, shapes, starts and the fitted curve."""

import math

import pytest
import torch

from transformer_lib.data import TALES
from transformer_lib.experiments.chapter_15 import accounting, model_sizes
from transformer_lib.experiments.chapter_15.model_sizes import (
    NAMED_SHAPES,
    PLACES,
    SHAPES,
    SIZES,
    STARTS,
    TOKENS,
    VOCAB_SIZE,
    build,
    measure,
    measure_shape,
    n_steps,
)


@pytest.mark.parametrize("name", NAMED_SHAPES)
def test_the_steps_spend_the_budget_to_within_one_step(name):
    model = build(torch.Generator(), **NAMED_SHAPES[name])
    places = model.context_length
    tokens = accounting.draw_tokens(model.vocab_size, TOKENS // places, places)
    step = accounting.counted_flops(lambda: model(tokens).sum().backward())
    assert abs(n_steps(model.config, 1e9) * step - 1e9) <= step / 2


@pytest.mark.slow
def test_every_story_is_scored_once_and_whole_where_the_places_are_enough():
    assert TALES.longest() < PLACES and model_sizes.tales().tokenizer.vocab_size == VOCAB_SIZE
    inputs, targets = model_sizes._pieces("test", PLACES)
    scored = targets != model_sizes.NOT_SCORED
    stories = [model_sizes.tales().tokenizer.encode(story) for story in model_sizes.tales().test]
    assert scored.sum(1).tolist() == [len(story) + 1 for story in stories]
    assert (inputs[:, 0] == model_sizes.tales().tokenizer.end_token).all()
    pieces = model_sizes._pieces("test", 32)[1]
    assert (pieces != model_sizes.NOT_SCORED).sum() == scored.sum()


def test_a_start_gives_the_matrices_of_the_blocks_the_deviation_that_it_names():
    generator = torch.Generator().manual_seed(0)
    for name, (std, is_scaled) in STARTS.items():
        model = build(generator, d_model=64, n_layers=8, start=name)
        join = 4.0 if is_scaled else 1.0
        for block in model.stack.blocks:
            up, down = block.feed_forward.up.weight, block.feed_forward.down.weight
            assert up.std().item() == pytest.approx(std or 64**-0.5, rel=0.05)
            assert down.std().item() == pytest.approx((std or 256**-0.5) / join, rel=0.05)


@pytest.mark.slow
def test_a_short_run_gives_the_same_again_and_another_seed_does_not():
    runs = [measure(seed, budget=2e8, rate_times_width=0.3, d_model=8, n_layers=1) for seed in (0, 0, 1)]
    assert runs[0] == runs[1] and runs[0]["nats"] != runs[2]["nats"]
    assert TALES.entropy_rate() < runs[0]["nats"] <= round(math.log(192), 4)


@pytest.mark.slow
def test_conditions_are_those_that_the_measurements_take(monkeypatch):
    asked = []
    monkeypatch.setattr(model_sizes, "n_steps", lambda config, budget: asked.append(budget) or 1)
    for condition in (SIZES.conditions[0], SIZES.conditions[-1]):
        assert measure(0, **condition | {"rate_times_width": 0.3})["steps"] == 1
    for condition in SHAPES.conditions:
        assert measure_shape(0, **condition | {"rate_times_width": 0.3})["steps"] == 1
    assert set(asked) == {*(SIZES.conditions[i]["budget"] for i in (0, -1)), model_sizes.SHAPE_BUDGET}
