"""What chapter 11 finds of two claims: one table for both ends, and one output for a whole text."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

LAST = {"readout": "last", "rate": 0.01, "steps": 600}

VERDICTS = [
    Verdict(
        claim="C25",
        status="holds when",
        sentence="On a short text one table cost nothing, with fewer parameters.",
        contrasts=[
            Contrast(
                "one table against two, docstrings in byte pairs",
                "tied-tables",
                "nats",
                one={"tied": True},
                other={"tied": False},
                unit="nats per token",
            ),
        ],
        open="smaller rates, other widths and vocabularies, more text, models of equal size",
    ),
    Verdict(
        claim="C29",
        status="holds when",
        sentence="One output is enough, but the last one is special only under a causal mask: without a mask "
        "training puts the answer at every position.",
        contrasts=[
            Contrast(
                "answer at the worst position, trained at the last: causal mask against none",
                "readouts",
                "worst.probe",
                one={"mask": "causal"},
                other={"mask": "none"},
                shared=LAST,
                unit="right",
            ),
            Contrast(
                "answer at the worst position, without a mask: trained against untrained",
                "readouts",
                "worst.probe",
                one=LAST,
                other={"readout": "last", "rate": 0.003, "steps": 0},
                shared={"mask": "none"},
                unit="right",
                reason="an untrained model has no rate",
            ),
            Contrast(
                "right answers without a mask: read at the last position against the mean of all",
                "readouts",
                "right",
                one={"readout": "last"},
                other={"readout": "mean"},
                shared={"mask": "none", "rate": 0.01, "steps": 600},
                unit="right",
            ),
        ],
        open="questions that need several words, deeper encoders, longer texts",
    ),
]
