"""Question 13.3: Repair Adam."""

from autograder.authoring import Part, Question

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
    yield from paths(
        rng, [(4, 3, 0.0, 0.0, 0.5), (1, 2, 0.0, 0.0, 0.1), (6, 1, 0.0, 0.0, 2.0), (3, 102, 0.0, 0.0, 0.7)]
    )


def one_step(rng):
    yield from paths(rng, [(1, 3, 0.9, 0.98, 0.0), (1, 5, 0.8, 0.98, 0.0), (1, 1, 0.5, 0.7, 0.0)])


def no_epsilon(rng):
    yield from paths(
        rng, [(5, 3, 0.7, 0.7, 0.0), (3, 2, 0.9, 0.9, 0.0), (8, 1, 0.5, 0.5, 0.0), (4, 4, 0.6, 0.6, 0.0)]
    )


def everything(rng):
    yield from paths(
        rng,
        [(6, 3, 0.9, 0.98, 0.1), (3, 3, 0.5, 0.9, 1e-9), (1, 4, 0.9, 0.98, 0.3), (120, 2, 0.9, 0.99, 0.01)],
    )
    for case in paths(rng, [(4, 3, 0.9, 0.98, 1e-9), (2, 5, 0.9, 0.98, 1e-8)]):
        yield {**case, "gradients": 1e-8 * case["gradients"]}  # so small that epsilon counts
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
                "If another part is lost, mend that first.",
                "There are three mistakes: compare your code with the formulas, term by term.",
            ),
        ),
    ],
)
