"""The box of a verdict: the same numbers as text and drawn, on a scale that effects of one unit share."""

import re

import pytest

from transformer_lib.experiments import Contrast, SeedInterval, Verdict
from transformer_lib.experiments.running.verdict_box import VerdictBox, draw_effects
from transformer_lib.experiments.running.verdicts import Arm, Effect


def effect(mean: float, half: float, unit: str = "nats", label: str = "a < b") -> Effect:
    contrast = Contrast(label, "heads", "nats", {"head": 1}, {"head": 2}, unit=unit)
    interval = SeedInterval(mean, mean - half, mean + half, 3, 0.95)
    return Effect(contrast, Arm({"head": 1}, (mean + 1,)), Arm({"head": 2}, (1.0,)), interval)


def places(html: str, what: str) -> list[float]:
    return [float(x) for x in re.findall(rf'class="{what}"[^>]*? (?:x1|cx)="([-\d.]+)%"', html)]


def verdict(**others) -> Verdict:
    contrasts = [effect(0.1, 0.2).contrast]
    return Verdict("C1", "holds when", "It holds & is drawn.", contrasts, **others)


def test_the_text_has_the_verdict_and_every_effect():
    box = VerdictBox(verdict(open="the width", proven="tests/a.py::test_b"), [effect(0.1, 0.2)])
    assert repr(box).splitlines() == [
        "C1 holds when: It holds & is drawn.",
        "  a < b: 1.10 against 1.00: +0.10 [-0.10, 0.30] nats, 3 seeds",
        "  proven: tests/a.py::test_b",
        "  open: the width",
    ]


def test_html_is_escaped_and_says_in_words_what_is_drawn():
    html = VerdictBox(verdict(), [effect(-0.1, 0.2)])._repr_html_()
    assert "It holds &amp; is drawn." in html
    assert 'aria-label="a &lt; b: 0.90 against 1.00: -0.10 [-0.30, 0.10] nats, 3 seeds"' in html


def test_effects_of_one_unit_share_a_scale_and_those_of_another_do_not():
    html = draw_effects([effect(1.0, 0.1), effect(2.0, 0.1), effect(40.0, 1.0, unit="points")])
    zeros, points = places(html, "zero"), places(html, "clear")
    assert zeros == [6.0, 6.0, 6.0]
    assert points[1] - 6 == pytest.approx(2 * (points[0] - 6), abs=0.11)
    assert points[2] > 90


def test_an_effect_that_may_be_zero_is_drawn_open_and_one_seed_has_no_bar():
    html = draw_effects([effect(0.1, 0.2), effect(0.1, float("inf"))])
    assert len(places(html, "open")) == 2
    assert html.count('class="bar"') == 1
