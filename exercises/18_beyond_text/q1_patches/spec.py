"""Question 18.1: Patches and back."""

import torch
from autograder.authoring import Part, Question, normal, sizes


def pictures(rng):
    """All sizes different, each of them 1, all equal; large pictures and squares; small numbers and large."""
    for n, channels, down, across, size in sizes(rng, n=4, channels=(1, 3), down=4, across=5, size=(1, 4)):
        yield {"images": normal(rng, n, channels, down * size, across * size), "size": size}
    for shape, size in (
        ((3, 5, 4, 6), 2),  # all differ
        ((2, 2, 2, 2), 2),
        ((1, 3, 4, 2), 1),
        ((3, 1, 2, 4), 2),
        ((3, 2, 1, 4), 1),
        ((2, 3, 4, 1), 1),
        ((4, 1, 4, 4), 2),  # as many squares as numbers in each, and as pictures
        ((2, 1, 1, 1), 1),
        ((3, 1, 2, 2), 2),  # one square
        ((2, 3, 6, 6), 6),
        ((1, 2, 2, int(rng.integers(104, 116))), 1),
        ((1, 1, int(rng.integers(13, 15)) * 8, 16), 8),
        ((1, 1, 26, 13), 13),
    ):
        yield {"images": normal(rng, *shape), "size": size}
    for scale in (3e-4, 40.0):
        yield {"images": normal(rng, 2, 3, 6, 4, scale=scale), "size": 2}


def squares(rng):
    """Patches of such pictures."""
    for case in pictures(rng):
        n, channels, height, width = case["images"].shape
        size = case["size"]
        cut = case["images"].reshape(n, -1, channels * size * size)
        yield {"patches": cut, "size": size, "height": height, "width": width}


def sent_back(rng):
    for number, case in enumerate(pictures(rng)):
        if number < 8:
            yield {**case, "upstream": normal(rng, case["images"].numel())}
    yield {"images": normal(rng, 2, 3, 4, 36), "size": 2, "upstream": normal(rng, 864)}


def call_to_patches(student, inputs):
    return {"patches": student.to_patches(inputs["images"], inputs["size"])}


def call_to_pictures(student, inputs):
    sides = (inputs["size"], inputs["height"], inputs["width"])
    return {"pictures": student.to_pictures(inputs["patches"], *sides)}


def call_backward(student, inputs):
    """Each function by itself: the second gets the same numbers, cut anyhow."""
    images, size, upstream = inputs["images"], inputs["size"], inputs["upstream"]
    n, colors, height, width = images.shape
    leaf = images.clone().requires_grad_()
    (student.to_patches(leaf, size).flatten() * upstream).sum().backward()
    other = images.reshape(n, -1, colors * size * size).clone().requires_grad_()
    (student.to_pictures(other, size, height, width).flatten() * upstream).sum().backward()
    leaves = {"images": leaf, "patches": other}
    return {
        f"gradient of the {name}": torch.zeros_like(one) if one.grad is None else one.grad
        for name, one in leaves.items()
    }


def to_patches(images, size):
    rows = []
    for top in range(0, images.shape[2], size):
        for left in range(0, images.shape[3], size):
            rows.append(images[:, :, top : top + size, left : left + size].flatten(1))
    return torch.stack(rows, 1)


def to_pictures(patches, size, height, width):
    squares = patches.unflatten(2, (-1, size, size))
    across = width // size
    rows = [
        torch.cat([squares[:, down * across + i] for i in range(across)], -1)
        for down in range(height // size)
    ]
    return torch.cat(rows, -2)


QUESTION = Question(
    id="18.1",
    title="Patches and back",
    kind="implement",
    difficulty=2,
    minutes=20,
    reference={"to_patches": to_patches, "to_pictures": to_pictures},
    clauses={
        "E.T.reshape(-1, channels, size, size)": "the order of a patch's numbers, in other words",
        "`to_pictures` undoes": "it has a part of its own, which every mistake in it loses",
        "Both are part of a model": ("gradients", "detached_patches"),
    },
    parts=[
        Part(
            "patches",
            2,
            "pictures are cut into squares, in the order of reading",
            call_to_patches,
            inputs=pictures,
            hints=(
                "Cut torch.arange(32.0).view(1, 2, 4, 4) into squares of side 2, and print each row of the "
                "result as a block of (2, 2, 2). Are these squares of the picture?",
                "With six axes there is one for each of: picture, color, row of squares, row within a "
                "square, column of squares, column within a square. In which order do they have to stand "
                "before the last reshape?",
                "A reshape cuts neighbors in memory. An exchange of axes has to come between two reshapes.",
            ),
        ),
        Part(
            "pictures",
            2,
            "squares are put together again",
            call_to_pictures,
            inputs=squares,
            hints=(
                "Is to_pictures(to_patches(images, size), size, height, width) equal to the images, if the "
                "height and the width differ, and with several colors?",
                "How many squares stand beside one another, and how many below one another?",
                "Go through the steps of the cut from the last to the first: each reshape back, and each "
                "exchange of axes undone.",
            ),
        ),
        Part(
            "gradients",
            1,
            "gradients flow back to each number's own place",
            call_backward,
            inputs=sent_back,
            hints=(
                "Call backward on the sum of result times random numbers, for each of the two functions. "
                "What is the gradient of the images, and of the patches?",
                "Does something cut the gradient off, such as detach, NumPy, or a tensor that is made from "
                "plain numbers?",
            ),
        ),
    ],
)
