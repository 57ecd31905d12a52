"""Handwritten digits, 8 by 8 pixels: the image data of the NADE chapter and of the image models.

1,797 scans from the UCI optical recognition data set, as scikit-learn ships them: no download. A pixel
there is a count of ink from 0 to 16. See Alpaydin and Kaynak, "Optical Recognition of Handwritten Digits"
(UCI, 1998).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import UInt8

from transformer_lib.checks import how_to_install
from transformer_lib.data.corpus import permutation

INK_THRESHOLD = 8
N_TRAIN, N_VALID = 1097, 300


@dataclass(frozen=True)
class Images:
    """Images flattened row by row, in three parts.

    Each pixel is one of `levels` values, 0 being blank paper. Labels are None where the set has none.
    """

    train: UInt8[np.ndarray, "n_train pixels"]
    valid: UInt8[np.ndarray, "n_valid pixels"]
    test: UInt8[np.ndarray, "n_test pixels"]
    train_labels: UInt8[np.ndarray, " n_train"] | None
    valid_labels: UInt8[np.ndarray, " n_valid"] | None
    test_labels: UInt8[np.ndarray, " n_test"] | None
    height: int
    width: int
    levels: int


def load_digits(levels: int = 2) -> Images:
    """The digits with 2 or 16 gray levels: 1,097 for training, 300 for validation, 400 for the test.

    With 2 levels a pixel is 1 where at least half of its 4 by 4 block is ink (a count of 8 of 16 or more).
    With 16 levels it is the count, and the rare full block (16) counts as 15. The split is a fixed random
    permutation of scikit-learn's order: in that order, neighbors often are one writer's.

    Raises
    ------
    ValueError
        If `levels` is neither 2 nor 16.
    ImportError
        If scikit-learn is not installed.
    """
    if levels not in (2, 16):
        raise ValueError(f"levels is {levels}: the digits come with 2 or 16 levels")
    try:
        from sklearn import datasets
    except ImportError as error:
        raise ImportError(
            f"the digits come with scikit-learn, which is not installed: {how_to_install('data')}",
            name="sklearn",
        ) from error
    source = datasets.load_digits()
    ink = source.data >= INK_THRESHOLD if levels == 2 else np.minimum(source.data, levels - 1)
    order = np.array(permutation(len(ink), seed=0))
    bounds = [N_TRAIN, N_TRAIN + N_VALID]
    train, valid, test = np.split(ink.astype(np.uint8)[order], bounds)
    train_labels, valid_labels, test_labels = np.split(source.target.astype(np.uint8)[order], bounds)
    return Images(train, valid, test, train_labels, valid_labels, test_labels, 8, 8, levels)
