"""Real corpora are read only when they are what they should be, and then have the published sizes."""

import gzip
import hashlib
import http.server
import io
import lzma
import os
import sys
import threading
import zipfile
from dataclasses import replace

import numpy as np
import pytest
import torch

from transformer_lib.data import (
    format_tree,
    leaves,
    load_corpus,
    load_images,
    load_pairs,
    load_trees,
    read_tree,
    real,
    sources,
    token_stream,
)
from transformer_lib.data.sources import FOLDER_VARIABLE, Source, npy_rows

TEXT = b"The cat sat on the mat.\n" * 50
REAL_FOLDER = os.environ.get(FOLDER_VARIABLE)
needs_real_data = pytest.mark.skipif(
    not REAL_FOLDER, reason=f"set {FOLDER_VARIABLE} to a folder with the real corpora"
)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def source_of(content, **options):
    return Source("cats/text.txt", sha256(content), **options)


def put(folder, path, content):
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(content)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, and no folder with data."""
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setattr(sources, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


PACKED = {"": TEXT, ".gz": gzip.compress(TEXT), ".xz": lzma.compress(TEXT)}


@pytest.mark.parametrize("ending", PACKED)
def test_a_file_is_the_same_however_it_is_packed(folder, ending):
    put(folder, "cats/text.txt" + ending, PACKED[ending])
    assert source_of(TEXT).read() == TEXT


DAMAGED = {
    "truncated": ("", TEXT[:-100], "is truncated or altered"),
    "empty": ("", b"", "is truncated or altered"),
    "altered": ("", TEXT.replace(b"mat", b"hat"), "is truncated or altered"),
    "altered inside": (".gz", gzip.compress(TEXT + b"!"), "is truncated or altered"),
    "truncated gzip": (".gz", PACKED[".gz"][:-20], "cannot be read"),
    "altered gzip": (".gz", PACKED[".gz"][:12] + b"\xff\xff" + PACKED[".gz"][14:], "cannot be read"),
    "no gzip": (".gz", TEXT, "cannot be read"),
    "empty gzip": (".gz", b"", "is truncated or altered"),
    "truncated xz": (".xz", PACKED[".xz"][:-20], "cannot be read"),
    "no xz": (".xz", TEXT, "cannot be read"),
}


@pytest.mark.parametrize(("ending", "content", "message"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_named_with_its_checksum_and_what_to_do(folder, ending, content, message):
    put(folder, "cats/text.txt" + ending, content)
    with pytest.raises(ValueError, match=message) as caught:
        source_of(TEXT).read()
    for part in (str(folder / ("cats/text.txt" + ending)), sha256(TEXT), "replace it, or unset"):
        assert part in str(caught.value)


def test_a_missing_file_is_named_with_its_checksum_and_what_to_do(folder):
    with pytest.raises(ValueError, match=r"is missing, also as .gz and .xz: put it there") as caught:
        source_of(TEXT, url="http://127.0.0.1:9/").read()
    assert str(folder / "cats/text.txt") in str(caught.value)
    assert sha256(TEXT) in str(caught.value)


def test_a_folder_in_the_place_of_a_file_is_an_error_in_words(folder):
    (folder / "cats/text.txt").mkdir(parents=True)
    with pytest.raises(ValueError, match=r"text.txt cannot be read"):
        source_of(TEXT).read()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def test_an_array_is_the_same_whatever_its_header_says_about_order(folder):
    array = np.arange(12, dtype=np.uint8).reshape(3, 4)
    source = Source("cats/rows.npy", sha256(array.tobytes()), content=npy_rows)
    for copy in (array, np.asfortranarray(array)):
        put(folder, "cats/rows.npy", npy(copy))
        assert source.read() == array.tobytes()


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 no array", npy(np.zeros(9))[:-5], npy(np.array([{}]))], ids=range(4)
)
def test_a_damaged_array_is_an_error_in_words(folder, content):
    put(folder, "cats/rows.npy", content)
    with pytest.raises(ValueError, match=r"rows.npy cannot be read .*should be 00: replace it"):
        Source("cats/rows.npy", "00", content=npy_rows).read()


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves what the test put into `files`; a length that is larger than the content breaks off."""

    files: dict[str, tuple[bytes, int]]

    def do_GET(self):
        if self.path not in self.files:
            self.send_error(404)
            return
        content, length = self.files[self.path]
        self.send_response(200)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    handler = type("Handler", (Handler,), {"files": {}})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()

        def serve(name, content, length=None):
            handler.files[f"/{name}"] = (content, len(content) if length is None else length)
            return f"http://127.0.0.1:{running.server_port}/{name}"

        yield serve
        running.shutdown()


def files_in(folder):
    return sorted(str(path.relative_to(folder).as_posix()) for path in folder.rglob("*") if path.is_file())


def test_a_download_is_unpacked_checked_and_kept(cache, server, monkeypatch, capsys):
    source = source_of(TEXT, url=server("text.gz", gzip.compress(TEXT)), convert=gzip.decompress)
    assert source.read() == TEXT
    assert "100%" in capsys.readouterr().err
    assert files_in(cache) == ["cats/text.txt"]
    monkeypatch.setattr(sources, "fetch", None)
    assert source.read() == TEXT


@pytest.mark.parametrize(
    ("content", "extra", "message"),
    [
        (TEXT[:-30], 30, "could not be downloaded from|as downloaded from .* is no good"),
        (TEXT[:-30], 0, "as downloaded from .* is no good: .* truncated or altered"),
        (TEXT + b"!", 0, "as downloaded from .* is no good: .* truncated or altered"),
    ],
)
def test_a_download_that_breaks_off_or_was_altered_leaves_nothing_behind(
    cache, server, content, extra, message
):
    source = source_of(TEXT, url=server("text", content, len(content) + extra))
    with pytest.raises(ValueError, match=message) as caught:
        source.read()
    for part in ("cats/text.txt", sha256(TEXT), f"set {FOLDER_VARIABLE}"):
        assert part in str(caught.value)
    assert files_in(cache) == []
    source = replace(source, url=server("text", TEXT))
    assert source.read() == TEXT


def test_a_download_that_is_interrupted_leaves_no_file(cache, monkeypatch):
    def interrupted(url, path):
        path.write_bytes(TEXT)
        raise KeyboardInterrupt

    monkeypatch.setattr(sources, "fetch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        source_of(TEXT, url="http://127.0.0.1:9/").read()
    assert files_in(cache) == []


def test_what_a_killed_download_leaves_is_not_taken_for_the_file(cache, server):
    put(cache, "cats/unfinished-abc/fetched", TEXT[:10])
    assert source_of(TEXT, url=server("text", TEXT)).read() == TEXT


@pytest.mark.parametrize("missing", ["address", "server", "packing"])
def test_a_download_that_cannot_be_had_says_where_to_put_the_file(cache, server, missing):
    source = source_of(TEXT, url=server("text", TEXT))
    source = {
        "address": replace(source, url=None),
        "server": replace(source, url=source.url + "-404"),
        "packing": replace(source, convert=gzip.decompress),
    }[missing]
    with pytest.raises(ValueError, match=r"no address|could not be downloaded from") as caught:
        source.read()
    for part in ("cats/text.txt", f"set {FOLDER_VARIABLE} to a folder", sha256(TEXT)):
        assert part in str(caught.value)


def test_a_damaged_file_in_the_cache_is_to_be_deleted(cache):
    put(cache, "cats/text.txt", TEXT[:5])
    with pytest.raises(ValueError, match="delete it, and it is downloaded again"):
        source_of(TEXT).read()


def test_without_pooch_the_missing_package_is_named(monkeypatch):
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(ModuleNotFoundError) as caught:
        source_of(TEXT).read()
    assert caught.value.name == "pooch"


@pytest.fixture
def imitate(folder, monkeypatch):
    """Puts small contents in the place of a corpus's files, checksums included."""

    def imitate(name, contents):
        table = getattr(real, name)
        assert contents.keys() == table.keys()
        for key, content in contents.items():
            put(folder, table[key].path, content)
        checksums = {key: sha256(table[key].content(content)) for key, content in contents.items()}
        monkeypatch.setattr(real, name, {key: replace(table[key], sha256=checksums[key]) for key in table})

    return imitate


def test_wikitext_counts_an_end_for_every_line_and_knows_the_words_of_training_alone(imitate):
    parts = {"train": b" \n = A <unk> = \n a b\n", "valid": b" a c \n", "test": b" \n \n b \n"}
    imitate("WIKITEXT_2", parts)
    corpus = load_corpus("wikitext-2")
    streams = [token_stream(part, corpus.tokenizer) for part in (corpus.train, corpus.valid, corpus.test)]
    assert [len(stream) for stream in streams] == [9, 3, 4]
    assert set(corpus.tokenizer.symbols) == {"=", "A", "a", "b"}
    assert corpus.tokenizer.decode(streams[1].tolist()) == "a <unk> <eos>"


def test_captions_are_read_in_both_directions_with_one_vocabulary(imitate):
    german, english = "Ein Hüne geht. \nZwei Hüte\n".encode(), b"A giant walks.\nTwo hats\n"
    imitate("MULTI30K", {name: german if name.endswith("de") else english for name in real.MULTI30K})
    corpus, turned = load_pairs("multi30k-de-en"), load_pairs("multi30k-en-de")
    assert corpus.train == [("Ein Hüne geht.", "A giant walks."), ("Zwei Hüte", "Two hats")]
    assert turned.test == [("A giant walks.", "Ein Hüne geht."), ("Two hats", "Zwei Hüte")]
    assert corpus.source_tokenizer is corpus.target_tokenizer
    assert corpus.source_tokenizer == turned.source_tokenizer


def test_no_sentence_that_is_held_out_is_also_trained_on(folder, monkeypatch):
    lines = [f"I have {n} cats.\tJ'ai {n % 800} chats.\n" for n in range(1000)]
    content = "".join([*lines, *(line.replace("J'ai", "J'avais") for line in lines)]).encode()
    put(folder, real.TATOEBA_FRA_ENG.path, content)
    monkeypatch.setattr(real, "TATOEBA_FRA_ENG", replace(real.TATOEBA_FRA_ENG, sha256=sha256(content)))
    corpus = load_pairs("tatoeba-fra-eng")
    trained = {sentence for pair in corpus.train for sentence in pair}
    held_out = [*corpus.valid, *corpus.test]
    assert all(trained.isdisjoint(pair) for pair in held_out)
    assert corpus.valid and corpus.test
    assert len(corpus.train) + len(held_out) < 2 * len(lines)
    assert corpus.train[0] == ("J'ai 0 chats.", "I have 0 cats.")


def test_other_languages_are_refused():
    with pytest.raises(ValueError, match="'de' to 'fr': Multi30k is from 'de' to 'en'"):
        real.load_multi30k("de", "fr")
    with pytest.raises(ValueError, match="'fra' to 'fra': give 'fra' and 'eng'"):
        real.load_tatoeba("fra", "fra")


def test_mnist_keeps_ten_thousand_for_validation_and_labels_beside_their_images(imitate):
    n = 10_003
    images = np.zeros((n, 784), np.uint8)
    images[:, 0] = labels = np.arange(n) % 10
    files = {
        "train-images-idx3": b"\0" * 16 + images.tobytes(),
        "train-labels-idx1": b"\0" * 8 + labels.astype(np.uint8).tobytes(),
        "t10k-images-idx3": b"\0" * 16 + images[:4].tobytes(),
        "t10k-labels-idx1": b"\0" * 8 + labels[:4].astype(np.uint8).tobytes(),
    }
    imitate("MNIST", files)
    mnist = load_images("mnist")
    assert mnist.train.shape == (3, 784)
    assert mnist.valid.shape == (10_000, 784)
    assert np.array_equal(mnist.valid_labels, labels[3:])
    assert np.array_equal(mnist.test[:, 0], mnist.test_labels)
    torch.from_numpy(mnist.train)


def test_binarized_images_are_the_same_from_bits_and_from_text(imitate):
    rng = np.random.default_rng(0)
    pixels = rng.integers(2, size=(5, 784), dtype=np.uint8)
    amat = "".join(" ".join(map(str, row)) + "\n" for row in pixels.tolist()).encode()
    packed = npy(np.packbits(pixels, axis=1))
    assert npy_rows(real.pack_amat(amat)) == npy_rows(packed)
    imitate("BINARIZED_MNIST", dict.fromkeys(("train", "valid", "test"), packed))
    images = load_images("binarized-mnist")
    assert np.array_equal(images.valid, pixels)
    assert images.train_labels is None
    assert (images.height * images.width, images.levels) == (784, 2)


def test_the_french_file_is_taken_out_of_its_archive():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("fra-eng/_about.txt", "about")
        archive.writestr("fra-eng/fra.txt", "Go.\tVa !\n")
    assert real.unzip_french(file.getvalue()) == b"Go.\tVa !\n"


def test_an_archive_without_the_french_file_is_an_error_in_words(cache, server):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("other.txt", "")
    url = server("fra.zip", file.getvalue())
    with pytest.raises(ValueError, match=r"fra.txt could not be downloaded"):
        replace(real.TATOEBA_FRA_ENG, url=url).read()


TREE = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))"


def test_trees_are_read_line_by_line(imitate):
    imitate("GUM_CONST", dict.fromkeys(("train", "valid", "test"), f"{TREE}\n(S (X y))\n".encode()))
    treebank = load_trees("gum-const")
    assert treebank.valid == [read_tree(TREE), ("S", ("X", "y"))]


def test_a_tree_is_a_label_and_its_parts_and_is_written_back():
    tree = read_tree(TREE)
    assert tree[1][1] == ("NP", ("DT", "the"), ("NN", "cat"))
    assert format_tree(tree) == TREE
    assert leaves(tree) == ["the", "cat", "sat", "."]
    assert format_tree(read_tree("(S\n  (X  y)z )")) == "(S (X y) z)"


@pytest.mark.parametrize("text", ["", "cat", "(S (X y)", "(S x))", "(S x) (S y)", "()", "(S)", "((X y) z)"])
def test_what_is_no_bracketing_is_refused(text):
    with pytest.raises(ValueError, match="bracket"):
        read_tree(text)


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'cifar' .* the names are binarized-mnist, digits, mnist"):
        load_images("cifar")
    with pytest.raises(ValueError, match="'ptb' is not the name of a treebank: the names are gum-const"):
        load_trees("ptb")


@needs_real_data
@pytest.mark.slow
def test_wikitext_2_has_the_published_counts():
    corpus = load_corpus("wikitext-2")
    parts = [corpus.train, corpus.valid, corpus.test]
    assert [len(token_stream(part, corpus.tokenizer)) for part in parts] == [2_088_628, 217_646, 245_569]
    assert corpus.tokenizer.vocab_size == 33_278


@needs_real_data
def test_tiny_shakespeare_has_its_characters():
    corpus = load_corpus("tinyshakespeare")
    assert sum(len(part[0]) for part in (corpus.train, corpus.valid, corpus.test)) == 1_115_394
    assert len(corpus.tokenizer.symbols) == 65
    assert all(corpus.tokenizer.encode(part[0]) for part in (corpus.valid, corpus.test))


@needs_real_data
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sizes"),
    [("multi30k-de-en", [29_000, 1_014, 1_000]), ("tatoeba-fra-eng", [160_594, 2_990, 2_935])],
)
def test_real_translations_have_their_sizes_and_lose_nothing(name, sizes):
    corpus = load_pairs(name)
    assert [len(part) for part in (corpus.train, corpus.valid, corpus.test)] == sizes
    tokenizer = corpus.source_tokenizer
    assert tokenizer.vocab_size == 8_000
    assert all(tokenizer.decode(tokenizer.encode(side)) == side for pair in corpus.test for side in pair)


@needs_real_data
def test_mnist_and_its_fixed_binarization_have_their_sizes():
    mnist, binarized = load_images("mnist"), load_images("binarized-mnist")
    for images in (mnist, binarized):
        shapes = [part.shape for part in (images.train, images.valid, images.test)]
        assert shapes == [(50_000, 784), (10_000, 784), (10_000, 784)]
        assert images.train.max() == images.levels - 1
    assert np.bincount(mnist.test_labels).min() > 800
    assert abs(binarized.train.mean() - mnist.train.mean() / 255) < 0.001


@needs_real_data
def test_gum_has_its_sentences_and_every_tree_is_written_back():
    treebank = load_trees("gum-const")
    assert [len(part) for part in (treebank.train, treebank.valid, treebank.test)] == [3_707, 438, 491]
    for source, trees in zip(real.GUM_CONST.values(), (treebank.train, treebank.valid, treebank.test)):
        assert source.read().decode() == "".join(f"{format_tree(tree)}\n" for tree in trees)
