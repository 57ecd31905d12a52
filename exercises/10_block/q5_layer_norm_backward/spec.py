"""Question 10.5: Backward through LayerNorm."""

from autograder.authoring import Part, Question, normal

from ..inputs import FUSED, far_off, ordinary, shapes, with_epsilon

AUTOGRAD = (
    "torch.autograd.grad",
    "torch.autograd.backward",
    "torch.Tensor.backward",
    "torch.autograd.functional.vjp",
    "torch.autograd.functional.jvp",
    "torch.autograd.functional.jacobian",
    "torch.autograd.forward_ad.make_dual",
    "torch.func.grad",
    "torch.func.grad_and_value",
    "torch.func.vjp",
    "torch.func.jvp",
    "torch.func.jacrev",
    "torch.func.jacfwd",
    "torch.func.linearize",
)


def call_formula(student, inputs):
    eps = (inputs["eps"],) if "eps" in inputs else ()
    given = (inputs["z"], inputs["gain"], inputs["upstream"], *eps)
    for_z, for_gain, for_bias = student.layer_norm_backward(*given)
    return {"for z": for_z, "for the gain": for_gain, "for the bias": for_bias}


def backward_cases(rng):
    """At last a single feature, and means that are thousands of times as large as the deviation."""
    for number, case in enumerate(ordinary(rng)):
        size = 20.0 if number in (1, 8) else 1.0  # the last but one has tiny gains
        yield {"z": case["z"], "gain": case["gain"], "upstream": normal(rng, *case["z"].shape, scale=size)}
    yield {"z": normal(rng, 2, 3, 1), "gain": 1.0 + normal(rng, 1), "upstream": normal(rng, 2, 3, 1)}
    # of four features, float32 holds the mean exactly
    for batch, time in ((1, 4), (2, int(rng.integers(1, 6)))):
        z = far_off(rng, batch, time, 4)
        yield {"z": z, "gain": 1.0 + normal(rng, 4), "upstream": normal(rng, *z.shape)}


def backward_cases_with_epsilon(rng):
    """At last the epsilon that is not given, of the order of the variance too."""
    for case in with_epsilon(rng):
        yield {
            "z": case["z"],
            "gain": case["gain"],
            "upstream": normal(rng, *case["z"].shape),
            "eps": case["eps"],
        }
    for shape in list(shapes(rng, 3))[1:3]:
        small = {name: 3e-3 * normal(rng, *shape) for name in ("z", "upstream")}
        gain = 1.0 + normal(rng, shape[2])
        gain[-1] = 0.0
        yield {**small, "gain": gain}


def narrow(rng, size):
    """Deviations of about a millionth, and an epsilon of the order of their variance."""
    yield {
        "z": 1e-6 * normal(rng, 2, 3, 4),
        "gain": 1.0 + normal(rng, 4),
        "upstream": size * normal(rng, 2, 3, 4),
        "eps": 1e-12 * float(rng.uniform(0.25, 3.0)),
    }


def all_backward_cases(rng):
    yield from backward_cases(rng)
    yield from backward_cases_with_epsilon(rng)
    yield from narrow(rng, 1.0)


def epsilon_cases(rng):
    """At last a gradient so small that the one for z is of the order of 1."""
    yield from backward_cases_with_epsilon(rng)
    yield from narrow(rng, 1e-6)


def layer_norm_backward(z, gain, upstream, eps=1e-5):
    z, gain, upstream = z.double(), gain.double(), upstream.double()
    d = z.shape[2]
    centered = z - z.mean(2, keepdim=True)
    root = (centered.square().mean(2, keepdim=True) + eps).sqrt()
    z_hat, h = centered / root, gain * upstream
    inner = h - h.sum(2, keepdim=True) / d - z_hat * (h * z_hat).sum(2, keepdim=True) / d
    return inner / root, (upstream * z_hat).sum((0, 1)), upstream.sum((0, 1))


QUESTION = Question(
    id="10.5",
    title="Backward through LayerNorm",
    kind="implement",
    difficulty=4,
    minutes=35,
    reference={"layer_norm_backward": layer_norm_backward},
    forbids=(*FUSED, *AUTOGRAD),
    exempt={"no gradient": "it is itself a gradient; nothing trains through it"},
    parts=[
        Part(
            "parameters",
            3,
            "the gradients for gain and bias",
            call_formula,
            inputs=all_backward_cases,
            compare=("for the gain", "for the bias"),
            rtol=2e-4,
            atol=2e-5,
            hints=(
                (
                    "Which of the two gradients is wrong? Write down what one entry of it multiplies, or "
                    "to what it is added, at each position, and add up what comes from above there."
                ),
                "An entry of the gain multiplies its normalized feature at every position.",
            ),
        ),
        Part(
            "features",
            3,
            "the gradient for z",
            call_formula,
            inputs=backward_cases,
            compare=("for z",),
            rtol=2e-4,
            atol=2e-5,
            hints=(
                "Test your gradient by small changes of one feature.",
                "Adding the same number to all features changes nothing: what does that say about the "
                "sum of the gradient?",
                "With h for the gain times what comes from above, subtract its mean, then its share "
                "along the normalized features.",
            ),
        ),
        Part(
            "epsilon",
            3,
            "the gradient for z where epsilon is of the order of the variance",
            call_formula,
            inputs=epsilon_cases,
            compare=("for z",),
            rtol=2e-4,
            atol=2e-5,
            hints=(
                "The root holds the epsilon. Differentiate it with the epsilon in place.",
                "The normalized features have a variance below 1 now. Where does your derivation use "
                "that it is 1?",
            ),
        ),
    ],
    clauses={
        "for the output of 10.2": "what is asked for",
        "be what reaches": "a name for it",
        "not small beside the variance": ("epsilon", "unit_variance"),
        "however small both may be": "two parts have such deviations: floor loses both",
        "What 10.2 says about large means": "two parts have such means: two_squares loses both",
    },
)
