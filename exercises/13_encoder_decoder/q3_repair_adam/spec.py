"""Question 13.3: Repair Adam."""

from autograder.authoring import Part, Question, sizes

from ..inputs import adam_path


def paths(rng, kinds):
    """Gradients, rates and constants; a constant of 0 leaves out what belongs to it."""
    for steps, size, beta_1, beta_2, eps in kinds:
        scale = 10.0 ** rng.uniform(-2, 1, size)
        yield {
            "gradients": rng.standard_normal((steps, size)) * scale,
            "rates": rng.uniform(0.1, 1.0, steps),
            "beta_1": beta_1,
            "beta_2": beta_2,
            "eps": eps,
        }


def without_memory(rng):
    for shape in sizes(rng, steps=6, parameters=5, far={"parameters": 102}):
        yield from paths(rng, [(*shape, 0.0, 0.0, float(rng.choice([0.1, 0.5, 2.0])))])


def one_step(rng):
    for beta_1, beta_2 in [(0.9, 0.98), (0.8, 0.98), (0.9, 0.98)]:
        yield from paths(rng, [(1, int(rng.integers(2, 7)), beta_1, beta_2, 0.0)])
    yield from paths(rng, [(1, 1, 0.5, 0.7, 0.0)])


def no_epsilon(rng):
    for shape in sizes(rng, steps=(2, 8), parameters=5):
        beta = float(rng.choice([0.5, 0.6, 0.7, 0.9]))
        yield from paths(rng, [(*shape, beta, beta, 0.0)])


def everything(rng):
    for shape in sizes(rng, steps=6, parameters=5, far={"steps": 110}):
        yield from paths(rng, [(*shape, 0.9, 0.98, 0.1)])
    yield from paths(rng, [(6, 3, 0.5, 0.9, 1e-9)])
    for case in paths(rng, [(4, 3, 0.9, 0.98, 1e-9), (2, 5, 0.9, 0.98, 1e-8)]):
        yield {**case, "gradients": 1e-8 * case["gradients"]}  # so small that epsilon counts
    for case in paths(rng, [(3, 2, 0.9, 0.98, 0.0), (4, 3, 0.5, 0.9, 0.0)]):  # squares beyond float32
        yield {**case, "gradients": 10.0 ** rng.choice([-25, 25]) * case["gradients"]}
    for case in paths(rng, [(5, 3, 0.9, 0.98, 3.0)]):  # gradients and rates above 10
        yield {**case, "gradients": 1000.0 * case["gradients"], "rates": rng.uniform(5.0, 50.0, 5)}
    for case in paths(rng, [(4, 3, 0.9, 0.98, 0.01)]):
        yield {**case, "rates": rng.uniform(3e-4, 9e-4, 4)}
    for case in paths(rng, [(5, 3, 0.9, 0.98, 0.1), (4, 2, 0.5, 0.9, 1e-9)]):
        still = case["gradients"].copy()
        still[1::2] = 0.0  # the means of the gradients before go on moving
        yield {**case, "gradients": still}
    for case in paths(rng, [(6, 3, 0.9, 0.98, 0.1), (5, 2, 0.5, 0.9, 1e-9)]):
        rates = case["rates"].copy()
        rates[1::2] = 0.0  # the parameters stay where they are, and the means go on
        yield {**case, "rates": rates}


def call_adam(student, inputs):
    return {"path": student.adam_path(**inputs)}


NUMBERS = {"no gradient": "tokens and NumPy's numbers have no gradient"}


QUESTION = Question(
    id="13.3",
    title="Repair Adam",
    kind="repair",
    difficulty=3,
    minutes=25,
    reference={"adam_path": adam_path},
    exempt=NUMBERS,
    clauses={
        "takes parameters that": "every path begins at 0",
        "the parameters after each step": ("all", "single_precision"),
        "Adam keeps two running means": "the first sentence of the formulas, which all parts ask for",
        "both 0 before the first step": "no_correction and others start from there",
        "is the rate at step": "first_rate loses every part of several steps",
        "With steps counted from $t = 1$": "one_step_ahead loses every part with a correction",
        "has three mistakes": "each has a part, and two_mended and others mend some of them",
        "Everything is in float64": ("all", "single_precision"),
        "parameters start at 0": "every path begins there",
        "steps at least 1": "one step is a part of its own",
        "(steps,), 0 or more": ("all", "rate_0_skipped"),
        "numbers from 0 on": "the first part has both betas 0",
        "where it is 0, no mean": "it says what is not asked for",
    },
    parts=[
        Part(
            "epsilon",
            1,
            "both betas 0, so that the means are the gradients themselves",
            call_adam,
            inputs=without_memory,
            hints=(
                "With both betas 0 the move is minus the rate times g / (|g| + epsilon). Is it?",
                "Does your epsilon stand under the root or behind it?",
            ),
        ),
        Part(
            "first step",
            1,
            "a single step without epsilon",
            call_adam,
            inputs=one_step,
            hints=(
                "Without epsilon the first move is as long as the rate, against the gradient's sign.",
                "Write m and v after one step, divided by their corrections. Which factor is left over?",
                "Each mean has a beta of its own, in the sum as well as in the correction.",
            ),
        ),
        Part(
            "correction",
            2,
            "several steps with equal betas",
            call_adam,
            inputs=no_epsilon,
            hints=(
                "If one step is right and two are not, what depends on t?",
                "The weights in the running mean of t gradients add up to 1 - beta**t.",
            ),
        ),
        Part(
            "all",
            2,
            "several steps, different betas, with epsilon",
            call_adam,
            inputs=everything,
            hints=(
                "Which of the formula's terms depend on t, which on both betas, and which on epsilon?",
                "A step whose gradient or rate is 0 is a step like any other.",
                "There are three mistakes: compare your code with the formulas, term by term.",
            ),
        ),
    ],
)
