"""What chapter 18 finds of the sources' claims."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

F1 = "labeled F1"
TRANSFORMER, TREEBANK, TRUTH = (
    {"parser": name} for name in ("Transformer", "treebank grammar", "true grammar")
)


def _drawn(label: str, other: dict[str, str], n_train: int = 4000) -> Contrast:
    """The Transformer against another parser, on sentences of the embedded grammar."""
    return Contrast(label, "parsing", "f1", TRANSFORMER, other, {"n_train": n_train}, F1)


VERDICTS = [
    Verdict(
        claim="C30",
        status="open",
        sentence=(
            "From 4,000 drawn trees it is not told apart from a grammar read off the same trees, from 500 it "
            "is behind it; the grammar that drew them is ahead with 4,000."
        ),
        contrasts=[
            _drawn("drawn sentences, 4,000 trees: against a treebank grammar", TREEBANK),
            _drawn("drawn sentences, 4,000 trees: against the true grammar", TRUTH),
            _drawn("drawn sentences, 500 trees: against a treebank grammar", TREEBANK, 500),
        ],
        open="treebanks of real English; parsers that score spans",
    )
]
