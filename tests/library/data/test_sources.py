"""Digits, docstrings and readers' own files: fixed content, honest splits, and errors in words."""

import hashlib
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from transformer_lib.data import load_corpus, load_digits, load_docstrings, permutation, read_text_corpus
from transformer_lib.data.docstrings import PINNED_NUMPY, PINNED_SHA256, normalize


@pytest.mark.slow
@pytest.mark.parametrize(
    ("levels", "sha256"),
    [
        (2, "ccbbac22f69ddf910317d8c134eae731b466951081560dd17d6d031e2cf08ee8"),
        (16, "2aab80acad34c2671fc1208221b95efaf3087b0c03a6b21ef7148935235d70b4"),
    ],
)
def test_digits_are_the_same_bytes_everywhere(levels, sha256):
    d = load_digits(levels)
    arrays = (d.train, d.valid, d.test, d.train_labels, d.valid_labels, d.test_labels)
    assert hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest() == sha256
    assert [len(array) for array in arrays] == [1097, 300, 400] * 2
    assert {array.dtype for array in arrays} == {np.dtype(np.uint8)}
    assert set(np.unique(d.train)) == set(range(levels))
    assert d.height * d.width == d.train.shape[1]


def test_binary_digits_are_the_grey_ones_cut_at_half_and_images_keep_their_labels():
    binary, grey = load_digits(2), load_digits(16)
    assert np.array_equal(binary.train, grey.train >= 8)
    assert np.array_equal(binary.train_labels, grey.train_labels)
    means = np.stack([grey.train[grey.train_labels == label].mean(0) for label in range(10)])
    distances = ((grey.test[:, None].astype(float) - means) ** 2).sum(-1)
    assert (distances.argmin(1) == grey.test_labels).mean() > 0.85


def test_digits_of_other_levels_are_refused():
    with pytest.raises(ValueError, match="levels is 4: the digits come with 2 or 16"):
        load_digits(4)


def test_digits_without_scikit_learn_name_the_extra_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ImportError, match=r"pip install '\.\[data\]'"):
        load_digits()


def test_a_permutation_is_fixed_by_its_seed_and_close_to_uniform():
    assert permutation(8, seed=0) == permutation(8, seed=0) != permutation(8, seed=1)
    assert sorted(permutation(1000, seed=3)) == list(range(1000))
    counts = np.zeros((4, 4))
    for seed in range(4000):
        counts[np.arange(4), permutation(4, seed)] += 1
    assert abs(counts / 4000 - 1 / 4).max() < 0.04


@pytest.fixture(scope="module")
def docstrings():
    load_digits()
    return load_docstrings()


def test_docstrings_of_the_pinned_numpy_are_the_same_bytes_also_when_scipy_is_loaded(docstrings):
    assert "scipy.special" in sys.modules
    assert np.__version__ == PINNED_NUMPY
    assert docstrings.sha256 == PINNED_SHA256


def test_docstrings_are_distinct_printable_ascii_of_a_useful_size(docstrings):
    parts = [docstrings.train, docstrings.valid, docstrings.test]
    texts = [text for part in parts for text in part]
    assert len(set(texts)) == len(texts)
    assert all(c == "\n" or " " <= c <= "~" for text in texts for c in set(text))
    assert all(text == normalize(text) and len(text) >= 100 for text in texts)
    sizes = [sum(map(len, part)) for part in parts]
    assert sizes[0] > 1_500_000
    assert all(0.03 < size / sum(sizes) < 0.08 for size in sizes[1:])
    for part in parts:
        text = "".join(part)
        assert docstrings.tokenizer.decode(docstrings.tokenizer.encode(text)) == text


def test_relatives_of_one_function_are_on_one_side_of_the_split(docstrings):
    parts = [docstrings.train, docstrings.valid, docstrings.test]
    for function in (np.nansum, np.ma.sum, np.ma.MaskedArray.sum, np.polynomial.Chebyshev.fit):
        assert any(normalize(function.__doc__) in part for part in parts)
    for family in (
        [np.sum, np.nansum, np.ndarray.sum, np.ma.MaskedArray.sum],
        [np.polynomial.chebyshev.chebfit, np.polynomial.legendre.legfit, np.polynomial.hermite_e.hermefit],
    ):
        assert len({tuple(normalize(f.__doc__) in part for part in parts) for f in family}) == 1


def test_normalize_leaves_layout_and_drops_what_is_not_ascii():
    text = "\n    café – “x”\t²\n\n      indented  \n    \N{GREEK SMALL LETTER SIGMA}end\n    "
    assert normalize(text) == 'cafe - "x"  2\n\n  indented\nend'
    assert normalize("fft(a, /)\n--\n\nTransform.") == "Transform."


@pytest.mark.slow
def test_docstrings_that_python_stripped_are_an_error():
    code = "from transformer_lib.data import load_docstrings; load_docstrings()"
    result = subprocess.run(
        [sys.executable, "-OO", "-c", code], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("ValueError: Python was started with -OO")


def test_a_text_file_is_split_in_order_and_read_on_every_platform_alike(tmp_path):
    text = "".join(f"line {i}\n" for i in range(1000))
    path = tmp_path / "own.txt"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode("utf-8"))
    corpus = read_text_corpus(path)
    assert corpus.name == "own.txt"
    assert corpus.entropy_rate is None
    assert "".join([*corpus.train, *corpus.valid, *corpus.test]) == text
    assert [round(20 * len(part[0]) / len(text)) for part in (corpus.train, corpus.valid, corpus.test)] == [
        18,
        1,
        1,
    ]


def test_a_character_of_the_test_part_alone_is_unknown_to_the_tokenizer(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("abc\n" * 500 + "é", encoding="utf-8")
    corpus = read_text_corpus(path)
    assert corpus.tokenizer.decode(corpus.tokenizer.encode("aé")) == "a<unk>"


def test_a_text_of_a_thousand_characters_is_long_enough_and_one_of_999_is_not(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("abcé\n" * 200, encoding="utf-8")
    assert len("".join(read_text_corpus(path).train)) > 0
    path.write_text(("abcé\n" * 200)[:-1], encoding="utf-8")
    with pytest.raises(ValueError, match="has 999 characters: at least 1,000 are needed"):
        read_text_corpus(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty: give a text file of at least 1,000 characters"),
        (b" \n" * 800, "is empty"),
        (b"short", "has 5 characters: at least 1,000 are needed"),
        (b"a" * 2000 + b"\xff\xfe", r"is not UTF-8 text \(byte 2000 is 0xff\): convert it to UTF-8"),
        (b"a\0" * 2000, "zero bytes"),
    ],
)
def test_a_file_that_cannot_serve_is_named_with_what_would_be_right(tmp_path, content, message):
    path = tmp_path / "own.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        read_text_corpus(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_or_a_directory_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="is a directory: give the path of one"):
        read_text_corpus(tmp_path)
    with pytest.raises(ValueError, match="does not exist"):
        read_text_corpus(tmp_path / "none.txt")


def test_a_corpus_is_found_by_name_or_by_path(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("some text\n" * 200, encoding="utf-8")
    assert load_corpus(str(path)).name == "own.txt"
    assert load_corpus(path).name == "own.txt"
    with pytest.raises(ValueError, match=r"'poems' is neither a corpus \(docstrings, tales, .*\) nor a file"):
        load_corpus("poems")


def test_the_hash_of_a_corpus_tells_its_parts_apart(docstrings):
    moved = replace(docstrings, train=docstrings.train[:-1], valid=[docstrings.train[-1], *docstrings.valid])
    assert moved.sha256 != docstrings.sha256
