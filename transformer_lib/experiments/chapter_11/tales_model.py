"""A language model of tales by the command line's own recipe, beside counting and the source: chapter 11."""

from transformer_lib.experiments.shared.text_experiment import text_experiment
from transformer_lib.text.language_model import RECIPE, train_language_model

__all__ = ["EXPERIMENT"]


EXPERIMENT = text_experiment(
    "tales",
    11,
    "a language model of tales, its distance from the source and from Kneser-Ney",
    RECIPE,
    train_language_model,
)
