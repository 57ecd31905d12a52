"""What the command line runs: a recipe trains a model of text, or a translator, in a folder of its own.

`recipe` says what is computed, `run` keeps the folder, `language_model` and `translation` train, continue,
translate and score, and `evaluation` does it for a checkpoint (chapters 15 and 20).
"""

from transformer_lib.text.language_model import continue_text, score_text, train_language_model
from transformer_lib.text.recipe import Recipe
from transformer_lib.text.run import Run
from transformer_lib.text.translation import Translator, score_translator, train_translator

__all__ = [
    "Recipe",
    "Run",
    "Translator",
    "continue_text",
    "score_text",
    "score_translator",
    "train_language_model",
    "train_translator",
]
