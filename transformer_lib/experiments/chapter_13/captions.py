"""What chapter 13 shows of the records of captions: three translations and a table."""

from transformer_lib.experiments.running.results import Results
from transformer_lib.notebook import spread

__all__ = ["EXAMPLES", "HEAD", "table_row", "translations"]

EXAMPLES = (
    (
        "Ein Mann mit einem orangefarbenen Hut, der etwas anstarrt.",
        "A man in an orange hat starring at something.",
    ),
    (
        "Ein Boston Terrier läuft über saftig-grünes Gras vor einem weißen Zaun.",
        "A Boston Terrier is running on lush green grass in front of a white fence.",
    ),
    (
        "Ein Mädchen in einem Karateanzug bricht ein Brett mit einem Tritt.",
        "A girl in karate uniform breaking a stick with a front kick.",
    ),
)
"""The first captions of the test part and what people wrote, slips included."""

HEAD = ("", "million parameters", "updates", "seeds", "BLEU", "±")


def translations(results: Results, direction: str = "de-en") -> list[str]:
    """What the first seed's model writes for the ``EXAMPLES``, by four hypotheses."""
    (found,) = (
        run["result"]["best"]["translations"]
        for run in results.record.result["runs"]
        if run["seed"] == 0 and run["settings"]["direction"] == direction
    )
    return found[: len(EXAMPLES)]


def table_row(label: str, results: Results, direction: str) -> list[str]:
    """A model's size, updates, seeds and BLEU, and half of the score's interval over the captions."""
    scores = results.values("best.bleu", direction=direction)
    half_widths = results.values("best.bleu_half_width", direction=direction)
    parameters, updates = (results.values(name, direction=direction)[0] for name in ("parameters", "steps"))
    half_width = sum(half_widths) / len(half_widths)
    numbers = [f"{parameters / 1e6:.1f}", f"{updates:,.0f}", str(len(scores)), spread(scores, 1)]
    return [label, *numbers, f"{half_width:.1f}"]
