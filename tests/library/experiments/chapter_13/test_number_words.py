"""The translator of number words is trained by the command line's own recipe."""

from transformer_lib.experiments import EXPERIMENTS
from transformer_lib.experiments.chapter_13 import number_words
from transformer_lib.text.translation import RECIPE


def test_the_record_names_the_recipe_of_the_command_line():
    experiment = EXPERIMENTS["number-words"]
    assert experiment is number_words.EXPERIMENT
    assert experiment.config.items() >= (RECIPE.settings() | {"model": experiment.config["model"]}).items()
    assert experiment.data()["name"] == RECIPE.data
