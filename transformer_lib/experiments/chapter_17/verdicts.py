"""What chapter 17 finds of the claim that Transformers learn long-term dependencies more easily."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

VERDICTS = [
    Verdict(
        claim="C28",
        status="open",
        sentence=(
            "On stories of ordinary length a small GPT has most of the far names right, and an LSTM with "
            "eight times as many steps about one in four. The LSTM was still improving, so this does not "
            "decide."
        ),
        contrasts=[
            Contrast(
                "a name at least 21 words back, ordinary stories: GPT against LSTM",
                "scoreboard",
                "far",
                {"model": "GPT", "steps": 1500, "rate": 0.003},
                {"model": "LSTM", "steps": 12_000, "rate": 0.0003},
                unit="right",
                other_experiment="scoreboard-longer",
                reason="each has the rate that was best for it, and the LSTM had more steps to improve in",
            ),
        ],
        open="stories three and ten times as long; an LSTM whose forget gates start open",
    ),
]
