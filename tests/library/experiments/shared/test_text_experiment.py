"""An experiment on text trains by its recipe, with the seed that is asked for, and resumes in its folder."""

from transformer_lib.experiments.shared.text_experiment import text_experiment
from transformer_lib.text.language_model import RECIPE
from transformer_lib.training import Record


def test_each_seed_is_a_run_of_the_recipe_with_that_seed(tmp_path):
    runs = []

    def train_run(run):
        runs.append(run)
        return Record.of_run(config={}, data={}, seeds=[5], minutes=0.0, curve=[], result={"n": 1}), "report"

    experiment = text_experiment("name", 11, "what it measures", RECIPE, train_run, seeds=(5, 6))
    record = experiment.measure(5, tmp_path)
    (run,) = runs
    assert run.recipe == RECIPE.with_training(seed=5) and run.folder == tmp_path and not run.resume
    assert record.result == {"n": 1}
    assert experiment.seeds == (5, 6) and "seed" not in experiment.config["training"]
