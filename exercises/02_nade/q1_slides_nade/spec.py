"""Question 02.1: The slides' NADE."""

import torch
from autograder.authoring import Part, Question

from ..inputs import nade_scores, parameters, tokens_of, with_large_sums


def first_positions(rng):
    for batch, p, k, d in [(3, 4, 3, 2), (1, 2, 5, 4)]:
        yield {"tokens": tokens_of(rng, d, batch, 1), **parameters(rng, p, k, d)}


def whole_sequences(rng):
    for batch, p, k, d in [(4, 6, 3, 2), (2, 4, 2, 5), (1, 5, 4, 3), (3, 4, 4, 4), (2, 130, 2, 3)]:
        yield {"tokens": tokens_of(rng, d, batch, p), **parameters(rng, p, k, d)}


def sequences_with_large_sums(rng):
    """Whole sequences, and some whose hidden layers read sums of thousands, of both signs."""
    yield from whole_sequences(rng)
    yield {"tokens": tokens_of(rng, 3, 3, 6), **with_large_sums(parameters(rng, 6, 4, 3), "V")}


def short_sequences(rng):
    for batch, time, p, k, d in [(3, 4, 7, 3, 2), (1, 2, 5, 2, 4)]:
        yield {"tokens": tokens_of(rng, d, batch, time), **parameters(rng, p, k, d)}


def long_enough(rng):
    for batch, p, k, d in [(2, 5, 3, 3), (1, 4, 4, 2)]:
        yield {"tokens": tokens_of(rng, d, batch, p), **parameters(rng, p, k, d)}


def unread_sequences(rng):
    """V is zero, so that no token matters."""
    for case in whole_sequences(rng):
        yield {**case, "V": torch.zeros_like(case["V"])}


def call_with_changed_tokens(student, inputs):
    """Change one token after another, and see which scores move."""
    rest = [inputs[name] for name in ("V", "c", "W", "b")]
    before = torch.as_tensor(student.nade_scores(inputs["tokens"], *rest)).detach()
    if before.shape != (*inputs["tokens"].shape, inputs["b"].shape[1]):
        return {"shape": list(before.shape)}
    moved = []
    for s in range(inputs["tokens"].shape[1]):
        changed = inputs["tokens"].clone()
        changed[:, s] = (changed[:, s] + 1) % inputs["b"].shape[1]
        after = torch.as_tensor(student.nade_scores(changed, *rest)).detach()
        moved.append(((after - before).abs() > 1e-5).any(0).any(-1))
    moved = torch.stack(moved)
    return {
        "shape": list(before.shape),
        "scores that move with their own token or a later one": int(moved.tril().sum()),
        "the first token moves the last scores": bool(moved[0, -1]),
    }


def call_scores(student, inputs):
    names = ("tokens", "V", "c", "W", "b")
    return {"scores": student.nade_scores(*(inputs[name] for name in names))}


QUESTION = Question(
    id="02.1",
    title="The slides' NADE",
    kind="implement",
    difficulty=3,
    minutes=25,
    reference={"nade_scores": nade_scores},
    parts=[
        Part(
            "first",
            1,
            "the first scores, which read nothing",
            call_scores,
            inputs=first_positions,
            hints=(
                "Write the two equations for t = 1. Which of the sums is empty, and which has one term?",
                "h_1 is the sigmoid of c_1, and f_1 reads h_1.",
                "A sequence of one token uses the first of the parameters, whatever p is.",
            ),
        ),
        Part(
            "causal",
            1,
            "scores change with the tokens before them, and with no other",
            call_with_changed_tokens,
            inputs=long_enough,
            hints=(
                "Change one token, and see which scores move. Those of its own position should not.",
                "The sum over s < t ends before t: the hidden layer at t must not have read x_t.",
                "A token is read after the scores of its position are finished.",
            ),
        ),
        Part(
            "written",
            1,
            "what the hidden layers write, when V is zero and no token matters",
            call_scores,
            inputs=unread_sequences,
            hints=(
                "With V = 0 only c, W and b are left. Compute f_2 by hand.",
                "f_t adds up W_s h_s over all s up to t, and b_t once.",
                "Each position has its own c_t and b_t: which of them does your code use at t = 2?",
            ),
        ),
        Part(
            "values",
            2,
            "the scores of whole sequences, with sums of thousands too",
            call_scores,
            inputs=sequences_with_large_sums,
            hints=(
                "What is read and what is written are right by themselves. Is V_s x_s the column of V_s "
                "that the token picks?",
                "V[s] has the shape (k, d), and a token is an index from 0 to d - 1. W[s] has the shape "
                "(d, k), which is easily confused where k = d.",
                "exp(1000) is infinite, and infinity over infinity is NaN. PyTorch has the sigmoid.",
            ),
        ),
        Part(
            "short",
            1,
            "sequences shorter than p",
            call_scores,
            inputs=short_sequences,
            hints=(
                "Which of the p parameters should a sequence of four tokens use?",
                "Position t uses the parameters at t, whether the sequence ends early or not.",
            ),
        ),
    ],
    exempt={"no gradient": "the text asks for scores; nothing trains through them here"},
)
