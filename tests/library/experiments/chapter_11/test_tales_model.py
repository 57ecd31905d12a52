"""The model of tales is trained by the command line's own recipe."""

from transformer_lib.experiments import EXPERIMENTS
from transformer_lib.experiments.chapter_11 import tales_model
from transformer_lib.text.language_model import RECIPE


def test_the_record_names_the_recipe_of_the_command_line():
    experiment = EXPERIMENTS["tales"]
    assert experiment is tales_model.EXPERIMENT
    assert experiment.config.items() >= (RECIPE.settings() | {"model": experiment.config["model"]}).items()
    assert experiment.data()["name"] == RECIPE.data
