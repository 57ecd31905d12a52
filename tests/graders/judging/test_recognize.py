"""Named mistakes: what is said of two in one answer, and of one beside another that has no name."""

from pathlib import Path

import pytest
from autograder.authoring.source import Source, read_source
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam
from autograder.judging.fixtures import read_exam
from autograder.judging.results import Result
from autograder.worker.session import Session
from grader_cases import ROOT

CHAPTERS = {
    "01": "01_factorization",
    "02": "02_nade",
    "06": "06_self_attention",
    "09": "09_positions",
}

LOG_PROB = """
def sequence_log_prob(logits, tokens, lengths):
    terms = logits.log_softmax(-1).gather(2, tokens[..., None])[..., 0]
    inside = torch.arange(tokens.shape[1]) INSIDE
    return terms.where(inside, 0.0).sum(1) UNIT
"""
LOG_ODDS = """
def log_odds(x, W, c, V, b):
    terms = x[..., None] * W
    read = terms.cumsum(1)
    read = torch.nn.functional.pad(read, (0, 0, BACK, 0))[:, : x.shape[1]]
    read = read + c * BIAS
    return b + (torch.sigmoid(read) * V).sum(-1)
"""
STEP = """
def sampling_step(t, token, read, written, V, c, W, b):
    if TOKEN:
        read = read + V[t - 1, :, token]
    written = written + W[t] @ torch.sigmoid(c[t] + read)
    return torch.softmax(b[t] + written, 0), read, written + BIAS
"""
ATTENTION = """
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** POWER
    if allowed is None:
        return scores.softmax(-1) @ value
    blind = ~allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed & ~blind, -torch.inf).softmax(-1)
    return (weights @ value).masked_fill(BLIND, 0.0)
"""


@pytest.fixture(scope="module")
def chapters() -> dict[str, tuple[Source, Exam]]:
    found = {}
    for chapter, name in CHAPTERS.items():
        folder: Path = ROOT / "exercises" / name
        text = (folder / "fixtures.json").read_text(encoding="utf-8")
        found[chapter] = read_source(folder / "exercise.md"), read_exam(text, "fixtures.json")
    return found


@pytest.fixture
def graded(chapters, session: Session):
    def graded(question: str, answer: str, **given: str) -> tuple[Result, set[str]]:
        """The result, and which named mistakes of the question it speaks of."""
        for name, text in given.items():
            answer = answer.replace(name, text)
        source, exam = chapters[question[:2]]
        result = evaluate(exam, question, source.setup, {**source.solutions, question: answer}, session)
        mistakes = exam.questions[question].mistakes
        return result, {m.name for m in mistakes if m.explanation in result.feedback}

    return graded


@pytest.mark.slow
@pytest.mark.parametrize(
    "question, answer, given, named",
    [
        ("01.1", LOG_PROB, {"INSIDE": "< lengths[:, None]", "UNIT": "/ math.log(2)"}, {"bits"}),
        ("01.1", LOG_PROB, {"INSIDE": "<= lengths[:, None]", "UNIT": "/ math.log(2)"}, {"bits", "one_more"}),
        ("01.1", LOG_PROB, {"INSIDE": ">= 0", "UNIT": "* -1"}, {"no_lengths", "sign"}),
        ("02.4", LOG_ODDS, {"BACK": "2", "BIAS": "1"}, {"two_back"}),
        (
            "02.4",
            LOG_ODDS,
            {"BACK": "2", "BIAS": "torch.arange(x.shape[1])[:, None]"},
            {"two_back", "bias_late"},
        ),
    ],
)
def test_each_of_two_named_mistakes_is_told_in_its_part(graded, question, answer, given, named) -> None:
    result, told = graded(question, answer, **given)
    assert told == named, result.feedback
    alone = len(named) == 1
    assert bool(result.mistakes) == alone
    assert ("On these inputs the values are those of" in result.feedback) != alone


@pytest.mark.slow
@pytest.mark.parametrize(
    "question, answer, given",
    [
        # beside a mistake without a name: what it does to the part that equals the named one is not known
        ("01.1", LOG_PROB, {"INSIDE": "< lengths[0]", "UNIT": "/ math.log(2)"}),
        # no token is ever read: after the token 0 this is what `if token:` gives
        ("02.2", STEP, {"TOKEN": "False", "BIAS": "0"}),
        ("02.2", STEP, {"TOKEN": "token is not None and token > 1", "BIAS": "0"}),
        # two named mistakes that meet in the one part of which the second is known
        ("02.2", STEP, {"TOKEN": "token", "BIAS": "b[t]"}),
        # sums of rows are 1 and 0 for many reasons
        ("06.1", ATTENTION, {"POWER": "1", "BLIND": "blind & False"}),
    ],
)
def test_a_part_that_equals_a_mistake_by_chance_or_for_many_reasons_says_nothing(
    graded, question, answer, given
) -> None:
    result, told = graded(question, answer, **given)
    assert result.points < result.max_points
    assert told == set(), result.feedback


def test_an_answer_that_equals_a_mistake_in_infinities_alone_is_told_that_others_do_so(graded) -> None:
    answer = """
def sequence_log_prob(logits, tokens, lengths):
    terms = logits.log_softmax(-1).exp().gather(2, tokens[..., None])[..., 0].log()
    return terms.where(torch.arange(tokens.shape[1]) < lengths[:, None], 0.0).sum(1)
"""
    result, told = graded("01.1", answer)
    assert told == {"unstable"}
    assert "This equals what other mistakes give too, such as the logarithm of a softmax" in result.feedback


@pytest.mark.parametrize(
    "given, told",
    [
        ("table = 4**6", "table is not right: it is off by one."),
        ("table = 4094", "table is not right: it is off by one."),
        ("table = 729", "table is not right."),
    ],
)
def test_the_values_of_a_derivation_stand_each_for_itself(graded, given: str, told: str) -> None:
    result, _ = graded("01.3", f"{given}\ndistributions = 3\nhistory = 63\nchain = 4095")
    assert told in result.parts[0].message
    assert result.parts[1].message == "distributions is not right."
    assert result.points == 2


def test_a_value_of_a_derivation_that_one_mistake_alone_gives_is_named(graded) -> None:
    result, _ = graded("01.3", "table = 4095\ndistributions = 21\nhistory = 4 + 4 * 4 + 16 * 4\nchain = 4095")
    (lost,) = (part.message for part in result.parts if part.points < part.max_points)
    assert "The value is that of counts in which each distribution has V numbers" in lost


@pytest.mark.slow
def test_exchanged_values_of_a_derivation_are_told(graded) -> None:
    result, _ = graded(
        "06.3", "variance = 96\nscale = 96**-0.5\nshifted = 240\nown_mean = 96\nown_variance = 48"
    )
    assert "own_mean is not right: it is what own_variance should be; own_variance is not right either." in (
        result.feedback
    )


BACKWARDS = """
def measure(table, offset):
    length = np.linalg.norm(table, axis=1)
    cosines = (table[:-1] * table[1:]).sum(axis=1) / (length[:-1] * length[1:])
    later, here = table[:-offset], table[offset:]
    best = np.linalg.lstsq(here, later, rcond=None)[0]
    rest = ((later - here @ best) ** 2).sum()
    return dict(neighbors=cosines.mean() FACTOR, left_over=rest / (later**2).sum())


measured = measure(random_table(SEED), 7)
report = {"seed": SEED, **{name: float(value) for name, value in measured.items()}}
"""
TABLE = """
def random_table(seed, n=200, d=24):
    return np.random.default_rng(seed).standard_normal((n, d))
"""


@pytest.mark.parametrize("seed", ["0", "41"])
def test_a_wrong_measure_is_named_at_whatever_seed_it_was_used(graded, seed) -> None:
    answer = TABLE + BACKWARDS
    result, told = graded("09.5", answer, SEED=seed, FACTOR="")
    assert told == {"backwards"}, result.feedback
    assert [name for name, _ in result.mistakes] == ["backwards"]
    assert {part.name for part in result.parts if not part.points} == {"left over", "reported"}
    result, told = graded("09.5", answer, SEED=seed, FACTOR="* 1.5 + 0.1")  # beside a mistake without a name
    assert told == set(), result.feedback
