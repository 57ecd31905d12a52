"""Question 02.1: The slides' NADE."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import nade_scores, near_zero, parameters, tokens_of, with_large_sums


def first_positions(rng):
    for batch, p, k, d in sizes(rng, batch=4, p=5, k=4, d=5):
        yield {"tokens": tokens_of(rng, d, batch, 1), **parameters(rng, p, k, d)}


def whole_sequences(rng):
    for batch, p, k, d in sizes(rng, batch=4, p=6, k=4, d=5, far={"p": 110}):
        yield {"tokens": tokens_of(rng, d, batch, p), **parameters(rng, p, k, d)}


def sequences_with_numbers_of_all_sizes(rng):
    """Whole sequences; then tokens beyond 255, large sums of both signs, and parameters near zero."""
    yield from whole_sequences(rng)
    d = int(rng.integers(260, 290))
    yield {"tokens": torch.tensor([[d - 1, 0, 1], [1, d - 2, 0]]), **parameters(rng, 3, 2, d)}
    yield {"tokens": tokens_of(rng, 3, 3, 6), **with_large_sums(parameters(rng, 6, 4, 3), "V")}
    # what is read is far from zero, and c makes up for it
    named = parameters(rng, 4, 3, 2)
    named["V"][0] -= 30
    named["c"][1:] += 30
    named["b"] += 30
    yield {"tokens": tokens_of(rng, 2, 3, 4), **named}
    # two hidden units of opposite effect, so that scores show differences of a thousandth
    named = {name: near_zero(rng, value) for name, value in parameters(rng, 5, 2, 3).items()}
    column = normal(rng, 5, 3, 1, scale=20.0)
    tokens = tokens_of(rng, 3, 4, 5)
    yield {"tokens": tokens, **named, "W": torch.cat([column, -column], 2)}
    yield {"tokens": tokens, **named}


def short_sequences(rng):
    for batch, time, more, k, d in sizes(rng, batch=4, time=5, more=(2, 5), k=4, d=4):
        yield {"tokens": tokens_of(rng, d, batch, time), **parameters(rng, time + more, k, d)}


def long_enough(rng):
    for batch, p, k, d in sizes(rng, batch=3, p=(3, 5), k=4, d=(2, 4)):
        yield {"tokens": tokens_of(rng, d, batch, p), **parameters(rng, p, k, d)}


def sequences_to_train_on(rng):
    """Also a long one, and large sums of both signs."""
    cases = [
        {"tokens": tokens_of(rng, d, batch, p), **parameters(rng, p, k, d)}
        for batch, p, k, d in sizes(rng, batch=3, p=5, k=4, d=5, far={"p": 33})
    ]
    tokens = tokens_of(rng, 3, 3, 6)
    tokens[:, :3] = torch.arange(3)[:, None]
    named = parameters(rng, 6, 4, 3)
    named["V"][0, :, 0] = -1.0 - named["V"][0, :, 0].abs()
    cases.append({"tokens": tokens, **with_large_sums(named, "V")})
    for case in cases:
        yield {**case, "upstream": normal(rng, *case["tokens"].shape, case["b"].shape[1])}


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


def call_gradients(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("V", "c", "W", "b")}
    scores = torch.as_tensor(student.nade_scores(inputs["tokens"], **leaves))
    if scores.shape != inputs["upstream"].shape:
        return {"shape": list(scores.shape)}
    (scores * inputs["upstream"]).sum().backward()
    gradients = {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }
    return {"shape": list(scores.shape), **gradients}


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
    clauses={
        "stands for its one-hot vector": "it explains the formula",
        "A sequence may be shorter than $p$": ("short", "spread"),
        "time from 1 to p": ("short", "spread"),
        "it has to train": ("gradients", "sigmoid_by_hand"),
    },
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
            1,
            "the scores of whole sequences, with sums of thousands too",
            call_scores,
            inputs=sequences_with_numbers_of_all_sizes,
            hints=(
                "Take the first score that differs, and work it out by hand: which hidden layers write it, "
                "which tokens does each of them read, and with which V, c, W and b? Is any number cut?",
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
        Part(
            "gradients",
            1,
            "gradients come back to V, c, W and b, for sums of thousands too",
            call_gradients,
            inputs=sequences_to_train_on,
            rtol=1e-3,
            atol=1e-4,
            hints=(
                "Call backward on the scores, each times a number of its own. Which gradient is missing, or "
                "NaN?",
                "A gradient ends at detach and in NumPy, and an infinite exponential has none.",
            ),
        ),
    ],
)
