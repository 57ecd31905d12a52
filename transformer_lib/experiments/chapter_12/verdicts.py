"""What chapter 12 finds of the sources' claims."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

NATS = "nats"
NONE = {"site": "none", "dropout": 0.0}
SHARE = "a share of 0 is what nothing hidden means"
PLAIN = {"hidden": "plain", "share": 0.0}
BOTH = {"hidden": "input and dimensions", "share": 0.2}


def _input_against(site: str, when: str, number: str) -> Contrast:
    """Dropout of 0.2 at the input, against the same rate at one place of the blocks."""
    shared = {"dropout": 0.2, "rate": 0.003}
    label = f"input against {site}, {when}"
    return Contrast(label, "dropout-sites", number, {"site": "input"}, {"site": site}, shared, NATS)


def _all(label: str, number: str, rate: float) -> Contrast:
    """Dropout of 0.1 at all places, against none."""
    everywhere = {"site": "all", "dropout": 0.1}
    reason = "no dropout is dropout at no place"
    return Contrast(label, "dropout-sites", number, everywhere, NONE, {"rate": rate}, NATS, reason=reason)


def _narrow(rate: float) -> Contrast:
    """Dropout of 0.1 at all places of a narrow model, against none."""
    label = f"dropout at width 16, stopped, learning rate {rate}"
    shared = {"width": 16, "n_stories": 25, "rate": rate}
    return Contrast(label, "widths", "test", {"dropout": 0.1}, {"dropout": 0.0}, shared, NATS)


VERDICTS = [
    Verdict(
        claim="C24",
        status="holds when",
        sentence=(
            "Dropout matters if nobody stops the run. For a run that validation stops its effect is open, "
            "and so is that of width."
        ),
        contrasts=[
            _all("dropout against none, at the end, learning rate 0.003", "last", 0.003),
            _all("dropout against none, at the end, learning rate 0.01", "last", 0.01),
            _all("dropout against none, stopped, learning rate 0.003", "test", 0.003),
            _all("dropout against none, stopped, learning rate 0.01", "test", 0.01),
            *(_narrow(rate) for rate in (0.003, 0.01)),
            Contrast(
                "width 64 against 16, stopped, learning rate 0.01",
                "dropout-sites",
                "test",
                NONE,
                {"width": 16, "dropout": 0.0, "n_stories": 25},
                {"rate": 0.01},
                NATS,
                other_experiment="widths",
                reason="all models of the first record have width 64 and read the same 25 stories",
            ),
        ],
        open=(
            "the strength of dropout at its places; larger models and texts; narrow models with dropout, "
            "at learning rate 0.003 or on 4,000 stories, which were still improving"
        ),
    ),
    Verdict(
        claim="C36",
        status="holds when",
        sentence=(
            "Where dropout stands changes a stopped run by a few hundredths of a nat, and a run that nobody "
            "stops by several times as much: there the input is the best single place."
        ),
        contrasts=[
            *(_input_against(site, "stopped", "test") for site in ("weights", "attended", "inner", "output")),
            _input_against("weights", "at the end", "last"),  # the next best there
        ],
        open="other learning rates; the strength of dropout; combinations of places; larger models",
    ),
    Verdict(
        claim="C10",
        status="open",
        sentence=(
            "On WikiText-2 hiding words or dimensions cost a little within five passes; on a small corpus "
            "it gained at one learning rate of two. All runs that hide were still improving."
        ),
        contrasts=[
            Contrast(
                f"WikiText-2, {label} hidden against nothing",
                "wikitext2",
                "test",
                {"hidden": hidden},
                {"hidden": "plain"},
                unit=NATS,
            )
            for label, hidden in (
                ("words", "input"),
                ("dimensions", "dimensions"),
                ("both", "input and dimensions"),
            )
        ]
        + [
            Contrast(
                f"docstrings, both hidden against nothing, learning rate {rate}",
                "augmentations",
                "test",
                BOTH,
                PLAIN,
                {"dropout": 0.2, "rate": rate},
                NATS,
                reason=SHARE,
            )
            for rate in (0.003, 0.01)
        ],
        open="more than five passes; stronger hiding; larger models with nothing hidden",
    ),
]
