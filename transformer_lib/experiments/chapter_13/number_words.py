"""A translator of number words by the command line's own recipe: chapter 13."""

from transformer_lib.experiments.shared.text_experiment import text_experiment
from transformer_lib.text.translation import RECIPE, train_translator

__all__ = ["EXPERIMENT"]


EXPERIMENT = text_experiment(
    "number-words",
    13,
    "German number words into English: exact match and BLEU",
    RECIPE,
    train_translator,
)
