"""Text is prepared by one function wherever it comes from."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.data import check_prose, clean_sentence, clean_text, read_pairs, read_text_corpus
from transformer_lib.data.pairs import check_fits, without_long

BOM = "\ufeff"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"{BOM}a\nb", "a\nb"),
        (f"a\n{BOM}b", "a\nb"),  # files that were joined
        ("a\r\nb\r\n", "a\nb\n"),
        ("a\rb\r", "a\nb\n"),  # an old Macintosh's
        ("a\rb\nc", "a b\nc"),
        ("a\rb\r\nc", "a b\nc"),
        ("a\r\r\nb\r\r\n\r\r\n", "a\nb\n\n"),  # Windows wrote its line ends twice
        ("a\r\n\rb", "a\n b"),
        ("e\u0301\u00a0!", "é\u00a0!"),
        ("\u1112\u1161\u11ab", "\ud55c"),
        ("ﬁ ²", "ﬁ ²"),  # other characters, not other forms of the same
    ],
)
def test_marks_line_ends_and_forms(text: str, clean: str) -> None:
    assert clean_text(text) == clean


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_clean_text_is_clean_and_its_form_does_not_matter(text: str) -> None:
    clean = clean_text(text)
    assert clean_text(clean) == clean
    assert clean_text(BOM + unicodedata.normalize("NFD", text)) == clean
    assert clean_text(clean.replace("\n", "\r\n")) == clean
    assert clean_text(clean.replace("\n", "\r\r\n")) == clean
    assert clean_sentence(f" \n{text}\r\n") == clean_sentence(clean_sentence(text))
    assert not {"\r", "\n", BOM} & set(clean_sentence(text))


def test_bytes_that_are_not_utf_8_are_refused() -> None:
    with pytest.raises(ValueError, match=r"not UTF-8 .character 2.: convert it"):
        clean_text("a\udcff")


@pytest.mark.parametrize("change", [str, lambda text: BOM + text, lambda text: text.replace("\n", "\r\n")])
def test_files_are_read_as_texts_are_prepared(tmp_path: Path, change) -> None:
    lines = [f"Käse {number}" for number in range(200)]
    (tmp_path / "a.txt").write_bytes(unicodedata.normalize("NFD", change("\n".join(lines))).encode())
    corpus = read_text_corpus(tmp_path / "a.txt")
    assert corpus.train[0] + corpus.valid[0] + corpus.test[0] == "\n".join(lines)
    pairs = "".join(f" {line} \t{line}\u3000\n\n" for line in lines)
    (tmp_path / "a.tsv").write_bytes(change(pairs).encode())
    assert read_pairs(tmp_path / "a.tsv") == [(line, line) for line in lines]


def test_a_lone_carriage_return_is_a_space_and_the_numbers_of_lines_stay(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"a\rb\tc\nd\te\tf\n")
    with pytest.raises(ValueError, match=r"line 2 of .*it has 3 fields: keep two"):
        read_pairs(tmp_path / "a.tsv")
    (tmp_path / "a.tsv").write_bytes(b"a\rb\tc\n")
    assert read_pairs(tmp_path / "a.tsv") == [("a b", "c")]


@pytest.mark.parametrize(
    ("line", "side"),
    [
        ("Hallo\t", "target"),
        ("\tHello", "source"),
        (" \u3000\tHello", "source"),
        (f"Hallo\t{BOM} \r", "target"),
    ],
)
def test_a_pair_with_an_empty_side_is_named_by_its_line(tmp_path: Path, line: str, side: str) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(f"a\tb\n\n{line}\nc\td\n".encode())
    with pytest.raises(ValueError, match=rf"line 3 of .*a\.tsv has no {side}: complete .* or leave them out"):
        read_pairs(path)
    path.write_bytes((f"a\tb\n{line}\n" + "x\t\n\t\n" * 1200).encode())
    with pytest.raises(ValueError, match=rf"line 2 .* no {side}, and 1,200 more lines have an empty side:"):
        read_pairs(path)


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("deu.txt", "Hallo.\tHello.\tCC-BY\n" * 5, "3 fields parted by tabs"),
        ("deu.text", "Hallo.\tHello.\r\n" * 5, "2 fields parted by tabs"),
        ("deu", f"{BOM}1\tHallo.\t2\tHello.\r" * 5, "4 fields parted by tabs"),
        ("pairs.csv", "Hallo.,Hello.\n" * 5, "named as a table"),
        ("pairs.CSV", "Hallo.;Hello.\n" * 5, "named as a table"),
        ("mixed.txt", "a\tb\n" * 19 + "no tab\n", "2 fields parted by tabs"),
    ],
)
def test_what_looks_like_pairs_is_asked_about(tmp_path: Path, name: str, content: str, found: str) -> None:
    (tmp_path / name).write_bytes(content.encode())
    with pytest.raises(ValueError, match=rf"pairs of sentences or a text\? .*{found}.*\.tsv.*give --text"):
        check_prose(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("novel.txt", "It was a dark night.\n\tIndented.\n" * 5),
        ("code.py", "a = 1\n\tb\tc\n" * 5),
        ("empty.txt", ""),
        ("one.txt", "one\tline"),
        ("pairs.tsv", "a\tb\n" * 5),
        ("bytes.txt", "\xff\n"),
    ],
)
def test_prose_is_not(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_bytes(content.encode("latin-1"))
    check_prose(tmp_path / name)
    check_prose("tales")


def test_pairs_that_are_too_long_are_named_by_their_line_or_left_out(tmp_path: Path, caplog) -> None:
    (tmp_path / "a.tsv").write_text("\na\tb\n\nlong long\tb\nc\td\n", encoding="utf-8")
    pairs = read_pairs(tmp_path / "a.tsv")
    encoded = [([1], [2]), ([1] * 9, [2]), ([1], [2] * 4)]
    with pytest.raises(
        ValueError, match=r"9 tokens .*context_length=9.*--skip-long.*line 4 of .*, and 1 more"
    ):
        check_fits(pairs, encoded, 4, tmp_path / "a.tsv")
    with pytest.raises(ValueError, match=r"the pair 'long long'$"):
        check_fits(pairs, encoded, 5)
    check_fits(pairs, encoded, 9)
    check_fits(pairs, encoded, None)
    check_fits([], [], 5)
    assert without_long("train", pairs, encoded, 5) == ([pairs[0], pairs[2]], [encoded[0], encoded[2]])
    assert without_long("train", pairs, encoded, 4) == (pairs[:1], encoded[:1]), "the end needs room"
    assert without_long("train", pairs, encoded, None) == (pairs, encoded)
    assert "train part: 1 pairs are longer" in caplog.text
    with pytest.raises(ValueError, match="no pair of the test part has room"):
        without_long("test", pairs, encoded, 1)
