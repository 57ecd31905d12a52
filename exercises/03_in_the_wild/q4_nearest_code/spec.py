"""Question 03.4: The nearest code."""

import torch
from autograder.authoring import Part, Question, normal, sizes

from ..inputs import quarters


def vectors(rng):
    """Vectors and codes on a grid. In the cases of three features two codes are equally near to a vector.

    In those of two, the sum of absolute differences names another code for a vector, the largest one for
    the next.
    """
    told = [(2, 4), (2, 3), (3, 3), (3, int(rng.integers(4, 7)))]
    for d, size in told:
        batch, n = (int(length) for length in rng.integers(2, 5, 2))
        z, codebook = quarters(rng, batch, n, d), quarters(rng, size, d)
        if d == 3:
            step = quarters(rng, d).abs() + 0.25
            codebook[:3] = z[0, 0] + torch.tensor([[1.0], [-1.0], [2.0]]) * step
            codebook[3:] = codebook[2]
        else:
            steps = torch.tensor([[0.75, 0.75], [1.25, 0.0], [-3.0, 1.5], [2.5, -4.0]])[:size]
            z.view(-1, 2)[1] = z[0, 0] + torch.tensor([0.125, -0.25])
            codebook = z[0, 0] + steps[torch.from_numpy(rng.permutation(size))]
        yield with_upstream(rng, z, codebook)
    for batch, n, d, size in sizes(rng, batch=3, n=4, d=4, size=6, far={"n": 102}):
        yield with_upstream(rng, quarters(rng, batch, n, d), quarters(rng, size, d))
    # vectors near the last of several hundred codes
    size = int(rng.integers(290, 310))
    codebook = torch.tensor([[i % 20, i // 20] for i in range(size)]).float()
    z = codebook[torch.from_numpy(rng.integers(260, size, (2, 3)))] + 0.25
    yield with_upstream(rng, z, codebook)
    # two are equally near, and no longer are, in float32, where the mean of three codes is subtracted first
    z = torch.tensor([[[1.5, 3.0], [2.0, -2.25]]])
    yield with_upstream(rng, z[:, :1], torch.tensor([[2.0, 4.25], [1.0, 1.75], [-2.75, 7.25]]))
    rows = [[2.75, -1.0], [6.5, 2.5], [-2.25, -6.25], [-1.75, 2.25], [1.25, -3.5], [-1.5, 2.5]]
    yield with_upstream(rng, z[:, 1:], torch.tensor(rows))


def with_upstream(rng, z, codebook):
    beta = float(rng.uniform(0.4, 2.0))
    return {"z": z, "codebook": codebook, "beta": beta, "upstream": normal(rng, *z.shape)}


def vectors_between(rng):
    """As before, and vectors halfway between two codes."""
    yield from vectors(rng)
    for batch, n, d in [(1, 3, 2), (2, 2, 1)]:
        middle, step = quarters(rng, d), quarters(rng, d) + 4
        order = torch.from_numpy(rng.permutation(4))
        codebook = torch.stack([middle + step, middle - step, middle + 2 * step, middle - 2 * step])[order]
        yield {"z": middle.expand(batch, n, d).clone(), "codebook": codebook}
    # a grid below a thousandth
    z, codebook = quarters(rng, 2, 3, 2), quarters(rng, 4, 2)
    yield {"z": z.clamp(-3, 3) / 2**12, "codebook": codebook.clamp(-3, 3) / 2**12}
    # distances 40 and a little more, which half precision does not tell apart
    middle = quarters(rng, 2)
    codebook = middle + torch.tensor([[-60.0, 8.0], [40.0, -0.25], [40.0, 0.0], [0.0, -50.0]])
    yield {"z": middle.repeat(2, 3, 1), "codebook": codebook}


def vectors_far_out(rng):
    """Two clouds of codes, thousands away from the origin, with vectors near; each code occurs twice."""
    for n, d in [(6, 2), (5, 3), (4, 2)]:
        centers = (normal(rng, 2, 1, d) > 0) * 4000.0 - 2000 + quarters(rng, 2, 1, d, scale=800)
        steps = torch.zeros(2, 3, d)
        # the first is the nearest to the center, the second by the sum of absolute differences
        steps[:, 0, :2], steps[:, 1, 0] = 0.75, 1.25
        steps[:, 2] = quarters(rng, 2, d).abs() + 1.5
        codebook = (centers + steps).reshape(6, d)
        z = centers + quarters(rng, 2, n, d, scale=0.6) * (torch.arange(n) > 0)[:, None]
        # nearest to the second, and by the largest difference to the first
        z[:, 1] = centers[:, 0]
        z[:, 1, :2] += torch.tensor([0.125, -0.25])
        yield {"z": z, "codebook": torch.cat([codebook[torch.from_numpy(rng.permutation(6))], codebook])}
    # so many codes that torch.cdist, left to itself, expands the squares
    center = (normal(rng, 2) > 0) * 4000.0 - 2000
    codebook = center + torch.tensor([[i % 6, i // 6] for i in range(30)]) / 2
    z = codebook[torch.from_numpy(rng.permutation(30)[:16])] + 0.125
    yield {"z": z.reshape(2, 8, 2), "codebook": codebook[torch.from_numpy(rng.permutation(30))]}


# of the cases 1, 4 and 5
BETAS = {1: 0.0, 4: 8e-4, 5: 30.0}


def losses(rng):
    for i, case in enumerate(vectors(rng)):
        beta = BETAS.get(i, case["beta"])
        yield {"z": case["z"], "codebook": case["codebook"]} | ({"beta": beta} if i % 3 else {})


def pulls(rng):
    for i, case in enumerate(vectors(rng)):
        yield case | {"beta": BETAS.get(i, case["beta"]), "upstream": float(rng.uniform(0.5, 3.0))}


def call_codes(student, inputs):
    return {"codes": student.quantize(inputs["z"], inputs["codebook"])[0]}


def call_vectors(student, inputs):
    return {"vectors": student.quantize(inputs["z"], inputs["codebook"])[1]}


def call_straight(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("z", "codebook")}
    output = student.quantize(**leaves)[1]
    ((output * inputs["upstream"]).sum() + 0 * leaves["z"].sum()).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def call_loss(student, inputs):
    beta = (inputs["beta"],) if "beta" in inputs else ()
    return {"loss": student.quantize(inputs["z"], inputs["codebook"], *beta)[2]}


def call_pulls(student, inputs):
    leaves = {name: inputs[name].clone().requires_grad_() for name in ("z", "codebook")}
    loss = student.quantize(**leaves, beta=inputs["beta"])[2]
    (inputs["upstream"] * loss + 0 * leaves["z"].sum()).backward()
    return {
        f"gradient of {name}": torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        for name, leaf in leaves.items()
    }


def quantize(z, codebook, beta=0.25):
    z, codebook = z.double(), codebook.double()
    flat, codes = z.reshape(-1, z.shape[2]), []
    for vector in flat.detach():
        distances = ((codebook.detach() - vector) ** 2).sum(1).tolist()
        codes.append(distances.index(min(distances)))
    chosen = codebook[codes]
    loss = ((flat.detach() - chosen) ** 2).sum() + beta * ((flat - chosen.detach()) ** 2).sum()
    passed = flat - flat.detach() + chosen.detach()
    return torch.tensor(codes).reshape(z.shape[:2]), passed.reshape(z.shape), loss / len(flat)


QUESTION = Question(
    id="03.4",
    title="The nearest code",
    kind="implement",
    difficulty=4,
    minutes=35,
    reference={"quantize": quantize},
    clauses={
        "stops the gradient: what stands in it": ("who is moved", "not_stopped"),
        "the vectors may lie thousands away": ("far out", "expanded"),
        "K at least 1": "each part has a codebook of one code",
        "a number, at least 0": "loss and who is moved have a beta of 0",
    },
    parts=[
        Part(
            "codes",
            1,
            "the numbers of the nearest codes, the first of several equally near",
            call_codes,
            inputs=vectors_between,
            hints=(
                "Compute all distances from one vector to the codes by hand, and look for the smallest.",
                "A large inner product does not mean near: a long code has large products with many.",
                "Of several equally near the first counts, the one with the smallest number.",
            ),
        ),
        Part(
            "far out",
            1,
            "the same where all vectors lie thousands away from the origin",
            call_codes,
            inputs=vectors_far_out,
            hints=(
                "Print the squares of 3000.25 and of 3000.5 in float32. How far apart are they?",
                "The square of 3000.25 needs more digits than float32 has. Which numbers are squared "
                "before others are subtracted?",
                "Subtract the codes from the vectors first, and square the differences.",
            ),
        ),
        Part(
            "vectors",
            1,
            "the rows of the codebook",
            call_vectors,
            inputs=vectors,
            hints=(
                "Compare each vector with the row of the codebook that has the smallest distance.",
                "The values of `vectors` are those of the codes, whatever its gradient is.",
            ),
        ),
        Part(
            "straight through",
            3,
            "the gradient of the vectors goes to z as it is, and not to the codebook",
            call_straight,
            inputs=vectors,
            hints=(
                "argmin has no gradient, and a row that is looked up sends its gradient to the codebook. "
                "What sends it to z?",
                "Write the vectors as z plus something that counts as a constant.",
                "The constant is the difference between the code and z. All of it is detached.",
            ),
        ),
        Part(
            "loss",
            1,
            "the value of the loss",
            call_loss,
            inputs=losses,
            hints=(
                "Compute the loss of one vector and one code by hand, with two features.",
                "Squares are summed over the features of a vector and averaged over the vectors.",
                "Both terms have the same value, apart from beta, which is 0.25 if it is not given.",
            ),
        ),
        Part(
            "who is moved",
            2,
            "the gradient of the loss: the first term moves the codes, the second z",
            call_pulls,
            inputs=pulls,
            hints=(
                "Which of the two terms may change the codebook, and which z?",
                "What stands in sg[...] is detached, and the other part of the difference is not.",
                "Is it the rows of the codebook that the loss reads, or `vectors`, whose gradient goes "
                "elsewhere?",
            ),
        ),
    ],
)
