"""What chapter 14 finds of the sources' claims."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

TRANSFORMERS = {
    "from German": ("multi30k", "de-en"),
    "into German": ("multi30k", "en-de"),
    "narrow": ("multi30k-tiny", "en-de"),
}


def _captions(label: str, translator: tuple[str, str], one: str, other: str) -> Contrast:
    """Two searches with the same weights, those of the least validation loss, by BLEU on 1,000 captions."""
    experiment, direction = translator
    return Contrast(
        label,
        experiment,
        f"best.{one}",
        {},
        {},
        {"direction": direction},
        "BLEU",
        other_number=f"best.{other}",
    )


def _numbers(label: str, one: str, other: str) -> Contrast:
    """Two searches with the same smoothed translator of numbers, stopped after 150 steps."""
    return Contrast(
        label,
        "beams",
        f"150.{one}.bleu",
        {},
        {},
        {"smoothing": 0.1},
        "BLEU on numbers",
        other_number=f"150.{other}.bleu",
    )


def _one_more_token(length: int) -> Contrast:
    """The time of a step of the LSTM against one of the Transformer with its cache, the two taking turns."""
    return Contrast(
        f"LSTM for Transformer, token {length:,}",
        "serial-cost",
        f"sampling.{length}.LSTM",
        {},
        {},
        {"size": "large", "threads": 1},
        "microseconds",
        other_number=f"sampling.{length}.Transformer",
    )


VERDICTS = [
    Verdict(
        claim="C26",
        status="holds when",
        sentence=(
            "On captions three Transformers gained 0.5 to 1.0 BLEU by 4 beams and 0.3 to 0.6 more by a "
            "penalty, each clearly for one of them. Many beams can ruin an unfinished translator; a penalty "
            "undoes that."
        ),
        contrasts=[
            *(
                _captions(f"4 beams for 1: {name}", at, "penalty.0", "beams.1")
                for name, at in TRANSFORMERS.items()
            ),
            *(
                _captions(f"penalty 0.6: {name}", at, "beams.4", "penalty.0")
                for name, at in TRANSFORMERS.items()
            ),
            _numbers("50 beams for 4", "50 beams, 0", "4 beams, 0"),
            _numbers("50 beams: penalty 1", "50 beams, 1", "50 beams, 0"),
        ],
        open="many beams without a penalty on captions; larger models; longer sentences",
    ),
    Verdict(
        claim="C9",
        status="holds when",
        sentence=(
            "Sampling only: an LSTM's step does the same work after any text. On one thread of a processor, "
            "at a few hundred thousand parameters, it took about a fifth of the time of a Transformer's with "
            "a cache."
        ),
        contrasts=[_one_more_token(16), _one_more_token(1024)],
        open="graphics processors; batches; larger models, for which the lead was smaller in another record",
    ),
]
