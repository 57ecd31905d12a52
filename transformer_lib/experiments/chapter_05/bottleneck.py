"""Numbers in words, from German to English, with and without attention, by length, width and training.

Numbers of two to six digits are equally frequent. German is read in characters, so that a number has up to
60 of them, and English is written in words and hyphens. A translation counts only if all of it is right.
Chapter 5 asks what has to pass through one vector. Chapter 13 reads the same numbers also in the parts that
German words are put together from.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor, nn

from transformer_lib.data import CharTokenizer, WordPunctTokenizer, encode_pairs
from transformer_lib.data.corpus import sha256_of
from transformer_lib.data.numbers import PINNED_NUM2WORDS, draw_distinct
from transformer_lib.data.tokenizers import SymbolTokenizer
from transformer_lib.decoding.sampling import generate
from transformer_lib.experiments.running.runner import Experiment
from transformer_lib.losses import IGNORED_TARGET
from transformer_lib.recurrent.seq2seq import Seq2Seq, Seq2SeqConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder

__all__ = [
    "DIGITS",
    "EXPERIMENT",
    "RATE",
    "STEPS",
    "UNITS",
    "VARIANTS",
    "WIDTHS",
    "Pairs",
    "as_pairs",
    "data",
    "draw",
    "measure",
    "parts",
    "score",
    "split_german",
    "tokenizers",
    "train",
    "translate",
    "translations",
    "words",
]

DIGITS = (2, 3, 4, 5, 6)
N_TRAIN, N_TEST, BATCH, CLIP = 3000, 100, 32, 1.0
RATE, WIDTHS, STEPS = 0.005, (16, 64), (2000, 8000, 32000)
FULL = 15
"""Words of the longest English numbers, with their end: each place has the same role in all of them."""

UNITS = ("letters", "parts")
"""What a source is read in."""

LONGEST_PART = re.compile(
    "sechzehn|siebzehn|zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig|hundert|tausend|und|null|"
    "zehn|elf|zwölf|eins|eine|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun"
)
VARIANTS: dict[str, dict[str, Any]] = {
    "attention": {"attention": "dot"},
    "no attention": {"attention": None},
}


Translates = Seq2Seq | EncoderDecoder


class Pairs(NamedTuple):
    """Sources and targets side by side, filled up behind their ends."""

    source: Int[Tensor, "pairs source_time"]
    """The letters of the German words, or their parts."""

    lengths: Int[Tensor, " pairs"]
    """How many of them each row has."""

    inputs: Int[Tensor, "pairs time"]
    """What the decoder reads: the start token and the English words."""

    targets: Int[Tensor, "pairs time"]
    """What it must write: the English words and the end token, then `IGNORED_TARGET`."""

    def rows(self, chosen: Int[Tensor, "chosen"]) -> "Pairs":
        """Some of the pairs, without the padding that they do not need."""
        source, lengths, inputs, targets = (part[chosen] for part in self)
        time = int((targets != IGNORED_TARGET).sum(1).max())
        return Pairs(source[:, : lengths.max()], lengths, inputs[:, :time], targets[:, :time])


def split_german(word: str) -> list[str]:
    """The parts of a German number: *vier*, *und*, *sechzig*.

    Raises
    ------
    ValueError
        If something is left over.
    """
    found = LONGEST_PART.findall(word)
    if "".join(found) != word:
        raise ValueError(f"{word!r} is not a German number in one word")
    return found


@cache
def words(n_digits: int) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The pairs of German and English words to train on, and to test on, of numbers of this many digits."""
    from num2words import num2words

    least = 10 ** (n_digits - 1)
    n_test = min(N_TEST, 3 * least)
    size = min(N_TRAIN, 9 * least - n_test) + n_test
    numbers = [least + place for place in draw_distinct(9 * least, size, seed=n_digits)]
    german, english = (partial(num2words, lang=language) for language in ("de", "en"))
    pairs = [(german(number), english(number)) for number in numbers]
    return pairs[n_test:], pairs[:n_test]


@cache
def tokenizers(unit: str = "letters") -> tuple[SymbolTokenizer, SymbolTokenizer]:
    """Letters or parts of German, words and hyphens of English; token 0 ends a text, and starts a target.

    The tokenizer of parts reads them with spaces between them.
    """
    german, english = zip(*(pair for digits in DIGITS for pair in words(digits)[0]))
    if unit == "parts":
        return WordPunctTokenizer.fit(map(spaced, german)), WordPunctTokenizer.fit(english)
    return CharTokenizer.fit(german), WordPunctTokenizer.fit(english)


def spaced(german: str) -> str:
    """The parts of a German number with spaces between them."""
    return " ".join(split_german(german))


def as_pairs(pairs: Sequence[tuple[str, str]], unit: str = "letters") -> Pairs:
    """The pairs as tokens; ``unit`` is one of `UNITS`."""
    if unit == "parts":
        pairs = [(spaced(german), english) for german, english in pairs]
    encoded = encode_pairs(pairs, *tokenizers(unit))
    sources, targets = (list(map(torch.tensor, texts)) for texts in zip(*encoded))
    pad = partial(nn.utils.rnn.pad_sequence, batch_first=True)
    return Pairs(
        source=pad(sources),
        lengths=torch.tensor([len(source) for source in sources]),
        inputs=pad([F.pad(target, (1, 0)) for target in targets]),
        targets=pad([F.pad(target, (0, 1)) for target in targets], padding_value=IGNORED_TARGET),
    )


@cache
def parts(unit: str = "letters") -> tuple[dict[int, Pairs], dict[int, Pairs]]:
    """What is trained on and what is tested on, by the number of digits."""
    train, test = ({digits: as_pairs(words(digits)[part], unit) for digits in DIGITS} for part in (0, 1))
    return train, test


def draw(train: Mapping[int, Pairs], generator: torch.Generator) -> Pairs:
    """A batch: a number of digits and one of its sources are drawn, and then sources of the same length."""
    digits = DIGITS[int(torch.randint(len(DIGITS), (1,), generator=generator))]
    pairs = train[digits]
    length = pairs.lengths[torch.randint(len(pairs.lengths), (1,), generator=generator)]
    same = (pairs.lengths == length).nonzero()[:, 0]
    return pairs.rows(same[torch.randint(len(same), (BATCH,), generator=generator)])


def translate(model: Translates, pairs: Pairs) -> Int[Tensor, "pairs time"]:
    """The most probable word at each step, each read from the model's own output; 0 behind the end."""
    n, time = pairs.targets.shape
    nothing = torch.empty(n, 0, dtype=torch.long)
    decoder = model.condition(pairs.source, pairs.lengths)
    return generate(decoder, nothing, time, temperature=0.0, end_token=model.start_token)


def translations(model: Translates, pairs: Pairs, unit: str = "letters") -> list[str]:
    """What :func:`translate` writes, as texts."""
    target = tokenizers(unit)[1]
    rows = [row.tolist() for row in translate(model, pairs)]
    return [target.decode(row[: row.index(end)] if (end := target.end_token) in row else row) for row in rows]


@torch.no_grad()
def score(model: Translates, pairs: Pairs) -> dict[str, float]:
    """The shares of right translations, written freely, and of right words after the right words."""
    counted = pairs.targets != IGNORED_TARGET
    free = (translate(model, pairs) == pairs.targets) | ~counted
    forced = model(pairs.source, pairs.inputs, pairs.lengths).argmax(-1) == pairs.targets
    return {"exact": free.all(1).double().mean().item(), "forced": forced[counted].double().mean().item()}


def train(
    seed: int,
    *,
    variant: str = "attention",
    rate: float = RATE,
    steps: tuple[int, ...] = (500, 1000),
    unit: str = "letters",
    is_decayed: bool = False,
    **shape: Any,
) -> tuple[Seq2Seq, dict[str, dict[str, float]]]:
    """Train one of the ``VARIANTS`` with Adam; the model, and its scores after each of `steps`.

    The scores are the shares of right translations by the number of digits, and of right words of the
    longest numbers after the right words: ``words after right words``.

    Parameters
    ----------
    rate, is_decayed
        The learning rate, which stays, or falls in a line to zero at the last step.
    shape
        Values of the model's configuration in place of those of the variant.
    """
    trained, tested = parts(unit)
    source, target = tokenizers(unit)
    generator = torch.Generator().manual_seed(seed)
    config = Seq2SeqConfig(
        source.vocab_size, target.vocab_size, **({"d_model": 64} | VARIANTS[variant] | shape)
    )
    model = Seq2Seq(config, generator=generator)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    scores = {}
    for step in range(1, max(steps) + 1):
        if is_decayed:
            optimizer.param_groups[0]["lr"] = rate * (1 - (step - 1) / max(steps))
        batch = draw(trained, generator)
        # sources of one length: the encoder is faster without padding
        logits = model(batch.source, batch.inputs).transpose(1, 2)
        loss = F.cross_entropy(logits, batch.targets, ignore_index=IGNORED_TARGET)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        if step in steps:
            found = {digits: score(model, pairs) for digits, pairs in tested.items()}
            scores[str(step)] = {f"{digits} digits": round(s["exact"], 4) for digits, s in found.items()}
            scores[str(step)]["words after right words"] = round(found[DIGITS[-1]]["forced"], 4)
    return model, scores


def right_by_place(model: Translates, pairs: Pairs) -> list[float]:
    """How often each place of the longest translations has its word, written freely.

    They are the numbers such as *three hundred and forty-five thousand, six hundred and seventy-eight*.
    """
    longest = pairs.rows(((pairs.targets != IGNORED_TARGET).sum(1) == FULL).nonzero()[:, 0])
    return (translate(model, longest) == longest.targets).double().mean(0).tolist()


def measure(
    seed: int, folder: Path | None = None, *, variant: str, d_model: int, steps: int, rate: float
) -> dict[str, Any]:
    """The scores of one variant after its last step, and what it writes for the longest numbers."""
    model, scores = train(seed, variant=variant, rate=rate, steps=(steps,), is_decayed=True, d_model=d_model)
    tested = parts()[1][DIGITS[-1]]
    places = {f"place {n}": round(x, 4) for n, x in enumerate(right_by_place(model, tested), start=1)}
    return scores[str(steps)] | places | {"outputs": {"translations": translations(model, tested)}}


def data() -> dict[str, Any]:
    """What a record says about the data."""
    pairs = [pair for digits in DIGITS for part in words(digits) for pair in part]
    return {
        "numbers": f"of {DIGITS[0]} to {DIGITS[-1]} digits, German to English",
        "num2words": PINNED_NUM2WORDS,
        "sha256": sha256_of(pairs),
    }


CONDITIONS: tuple[dict[str, Any], ...] = (
    *({"variant": "attention", "d_model": d, "steps": n, "rate": RATE} for d in WIDTHS for n in STEPS[:2]),
    *({"variant": "no attention", "d_model": d, "steps": n, "rate": RATE} for d in WIDTHS for n in STEPS),
    *(
        {"variant": "no attention", "d_model": WIDTHS[0], "steps": STEPS[-1], "rate": rate}
        for rate in (RATE / 2, 2 * RATE)
    ),
)
"""Without attention, models learn four times as long and, at the narrow width, at three rates."""

EXPERIMENT = Experiment(
    name="bottleneck",
    chapter=5,
    description="number words from German to English with and without attention, by width and training",
    measure=measure,
    seeds=(0, 1, 2),
    config={"optimizer": "Adam", "decay": "linear", "batch": BATCH, "clip": CLIP, "cell": "lstm"},
    data=data,
    conditions=CONDITIONS,
)
