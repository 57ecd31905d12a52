"""Speeds under the roofline come from the records and lie under their roof."""

import math

import pytest

from transformer_lib.experiments.chapter_15 import roofline


def test_a_product_of_many_tokens_has_more_operations_per_byte_up_to_half_of_the_width_per_number():
    few, many = (roofline.intensity(tokens, 64, 4) for tokens in (1, 10**9))
    assert few < many, "more tokens share the matrix, so the intensity grows"
    assert many == pytest.approx(64 / 4, rel=1e-6), "tokens in and out are bytes as well"
    assert roofline.intensity(1, 10**9, 4) == pytest.approx(0.5), "one token: two operations for four bytes"


def test_every_speed_lies_under_the_roof_of_its_machine():
    roofs = {machine.name: machine for machine in roofline.machines("15_benchmarks")}
    for point in roofline.points("15_benchmarks", "15_benchmarks_gpu"):
        roof = roofs[point.machine].roof(point.intensity)
        assert 0 < point.rate <= roof * (1 + 1e-9), f"{point.name} is faster than its roof: count anew"


def test_shares_are_below_one_and_only_bf16_has_an_mfu():
    for name, speed, product, mfu in roofline.shares("15_benchmarks_gpu"):
        assert speed > 0 and 0 < product < 1, f"{name}: a step is slower than its products"
        assert math.isnan(mfu) == ("bf16" not in name), f"{name}: the peak is that of bf16"
