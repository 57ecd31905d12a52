"""The effects of the verdicts, computed again from the committed files without the library's statistics."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from transformer_lib.experiments import VERDICTS, load_results
from transformer_lib.experiments.running.verdicts import Contrast

ROOT = Path(__file__).parents[2]
CONTRASTS = [
    pytest.param(contrast, id=f"{verdict.claim}, {contrast.label}")
    for verdicts in VERDICTS.values()
    for verdict in verdicts
    for contrast in verdict.contrasts
]


def runs(experiment):
    """The runs of the experiment's record: settings, seed and results, as the file has them."""
    (path,) = (
        path
        for path in (ROOT / "book" / "records").glob("*.json")
        if path.stem[3:] == experiment.replace("-", "_")
    )
    return json.loads(path.read_text(encoding="utf-8"))["result"]["runs"]


def number(result, name):
    """A number by its dotted name; a key may itself have a dot."""
    if name in result:
        return result[name]
    head = next(key for key in result if name.startswith(f"{key}."))
    return number(result[head], name[len(head) + 1 :])


def arm(contrast, experiment, settings, name):
    """The numbers of one side by seed, at the best value of the grid if there is one."""
    found = [
        run
        for run in runs(experiment)
        if all(run["settings"].get(key) == value for key, value in (contrast.shared | settings).items())
    ]
    if contrast.grid:
        means = {
            value: np.mean(
                [
                    number(run["result"], contrast.by or name)
                    for run in found
                    if run["settings"][contrast.grid] == value
                    and (not contrast.seeds or run["seed"] in contrast.seeds)
                ]
            )
            for value in {run["settings"][contrast.grid] for run in found}
        }
        best = {"lowest": min, "highest": max}[contrast.best](means, key=means.get)
        found = [run for run in found if run["settings"][contrast.grid] == best]
    chosen = {run["seed"]: number(run["result"], name) for run in found}
    assert len(chosen) == len(found), (
        f"name one condition with the settings of {contrast.label!r}: {settings}"
    )
    return {seed: value for seed, value in chosen.items() if not contrast.seeds or seed in contrast.seeds}


def again(contrast):
    """Mean difference and the bounds of its 95 % interval, by scipy."""
    one = arm(contrast, contrast.experiment, contrast.one, contrast.number)
    other_name = contrast.other_number or contrast.number
    if contrast.against is not None:
        differences = [value - contrast.against for value in one.values()]
    elif contrast.other_experiment:
        other = arm(contrast, contrast.other_experiment, contrast.other, other_name)
        a, b = list(one.values()), list(other.values())
        mean = np.mean(a) - np.mean(b)
        if min(len(a), len(b)) == 1:
            return mean, -np.inf, np.inf
        return mean, *stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    else:
        other = arm(contrast, contrast.experiment, contrast.other, other_name)
        assert one.keys() == other.keys(), f"record {contrast.label!r} at the same seeds on both sides"
        differences = [one[seed] - other[seed] for seed in one]
    mean, n = np.mean(differences), len(differences)
    if n == 1:
        return mean, -np.inf, np.inf
    half = stats.t.ppf(0.975, n - 1) * np.std(differences, ddof=1) / n**0.5
    return mean, mean - half, mean + half


@pytest.mark.parametrize("contrast", CONTRASTS)
def test_the_effect_of_a_verdict_is_what_the_committed_file_gives(contrast: Contrast) -> None:
    effect = contrast.effect(load_results).interval
    np.testing.assert_allclose(
        (effect.mean, effect.low, effect.high),
        again(contrast),
        rtol=1e-6,
        atol=1e-9,
        err_msg=f"find out why the box of {contrast.label!r} says something else than its record",
    )
