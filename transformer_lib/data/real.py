"""Real corpora, on which published models are compared: text, translations, images and trees.

They come from the folder that ``TRANSFORMER_DATA`` names, or by a download into the user's cache (see
`transformer_lib.data.sources`). The addresses are untried; what the checksums accept is right, wherever it
came from.
"""

import gzip
import hashlib
import io
import zipfile

import numpy as np

from transformer_lib.data.corpus import Corpus, split_text
from transformer_lib.data.digits import Images
from transformer_lib.data.pairs import Pair, ParallelCorpus, with_joint_bpe, without_known_sentences
from transformer_lib.data.sources import Source, npy_rows
from transformer_lib.data.tokenizers import CharTokenizer, WordTokenizer
from transformer_lib.data.trees import Treebank, read_tree

HELD_OUT_PERCENT = 2


def pack_amat(data: bytes) -> bytes:
    """The .npy file, one bit a pixel, of an image file in text: a line an image, zeros and ones apart."""
    rows = [np.array(line.split(), dtype=np.uint8) for line in data.splitlines()]
    file = io.BytesIO()
    np.save(file, np.packbits(np.stack(rows), axis=1), allow_pickle=False)
    return file.getvalue()


def unzip_french(data: bytes) -> bytes:
    """The sentences in the archive of French and English."""
    return zipfile.ZipFile(io.BytesIO(data)).read("fra-eng/fra.txt")


# The addresses are untried, all of them. GUM's trees have none: they are published one file a document.
WIKITEXT_2 = {
    part: Source(
        f"wikitext-2/{part}.txt",
        sha256,
        f"https://raw.githubusercontent.com/pytorch/examples/main/word_language_model/data/wikitext-2/{part}.txt",
    )
    for part, sha256 in {
        "train": "9e9fa1ad55b1c2c95b08e37dd8e653f638fac2c6de904b79e813611eefbc985f",
        "valid": "f0737ed31fc1329026e95cb8b98e19c2a182c39c240ab909dc31abf2f8af58e8",
        "test": "d790b833ef8cf03a90db7bf1271b7520b83c45ce07ba3c1a9699df81e239eca0",
    }.items()
}
TINYSHAKESPEARE = Source(
    "tinyshakespeare/input.txt",
    "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",
    "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt",
)
MULTI30K = {
    name: Source(
        f"multi30k/{name}",
        sha256,
        f"https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw/{name}.gz",
        convert=gzip.decompress,
    )
    for name, sha256 in {
        "train.de": "2c2b73fd2b548fbcde3a875e0a78d6ee94d498bfdee6bd3eae3945779e9ddf72",
        "train.en": "460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6",
        "val.de": "660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660",
        "val.en": "1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227",
        "test_2016_flickr.de": "4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16",
        "test_2016_flickr.en": "399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182",
    }.items()
}
TATOEBA_FRA_ENG = Source(
    "tatoeba_fra_eng/fra.txt",
    "0bb85dbaa1c896844649094d7eaf2e34bee34e84fe362b26ce7e8f2e12aae104",
    "http://d2l-data.s3-accelerate.amazonaws.com/fra-eng.zip",
    convert=unzip_french,
)
MNIST = {
    name: Source(
        f"mnist/{name}-ubyte",
        sha256,
        f"https://ossci-datasets.s3.amazonaws.com/mnist/{name}-ubyte.gz",
        convert=gzip.decompress,
    )
    for name, sha256 in {
        "train-images-idx3": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
        "train-labels-idx1": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
        "t10k-images-idx3": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
        "t10k-labels-idx1": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
    }.items()
}
BINARIZED_MNIST = {
    part: Source(
        f"binarized_mnist/{part}_packed.npy",
        sha256,
        f"http://www.cs.toronto.edu/~larocheh/public/datasets/binarized_mnist/binarized_mnist_{part}.amat",
        convert=pack_amat,
        content=npy_rows,
    )
    for part, sha256 in {
        "train": "727146c35424b019f3e350e1e69faa05644a0abaf787e3f4e1a9632220a13906",
        "valid": "a256ac44ae26be720fad8616a05ed6ecfd1619930d9a208379bb2a4405df5b6d",
        "test": "9fcd8da6f0fdf09b2ba30fe63a0bb784042a0de82563172530229b983e294ff2",
    }.items()
}
GUM_CONST = {
    part: Source(f"gum_const/{name}.ptb", sha256)
    for part, name, sha256 in (
        ("train", "train", "6c475b694270f0cd607d2029c9d5eb282c0203dd5c1918c1cd5485cbc4d55c0e"),
        ("valid", "dev", "7cfaef43e1c19ae64aa1df9176a8dfb5eefee04cc39392921b33ddc5962d41c6"),
        ("test", "test", "ff8abbfa46901f5e4f2549c4d52f9798c718e96f8f9e7dd7dd77fbba974aed72"),
    )
}


def _lines(source: Source) -> list[str]:
    return source.read().decode("utf-8").removesuffix("\n").split("\n")


def load_wikitext_2() -> Corpus:
    """WikiText-2, in words: each line of its articles is a document, so that ``<eos>`` ends every line.

    So counted, as published perplexities count, it has 2,088,628 tokens for training, 217,646 for validation
    and 245,569 for the test, and a vocabulary of 33,278 from the training part, with ``<eos>`` and ``<unk>``.

    Source: Merity et al. (2017)
    """
    parts = {part: _lines(source) for part, source in WIKITEXT_2.items()}
    return Corpus(
        name="wikitext-2",
        tokenizer=WordTokenizer.fit(parts["train"], unknown=True),
        description="good and featured articles of the English Wikipedia, CC BY-SA",
        train=parts["train"],
        valid=parts["valid"],
        test=parts["test"],
    )


def load_tinyshakespeare() -> Corpus:
    """Plays of Shakespeare, in characters: 65 of them, in 1,115,394 places.

    Split as `read_text_corpus` does. Published losses are on the last tenth whole: valid and test together.

    Source: Karpathy (2015), "The unreasonable effectiveness of recurrent neural networks"
    """
    train, valid, test = split_text(TINYSHAKESPEARE.read().decode("utf-8"))
    return Corpus(
        name="tinyshakespeare",
        train=train,
        valid=valid,
        test=test,
        tokenizer=CharTokenizer.fit(train),
        description="plays of Shakespeare, in the public domain",
    )


def load_multi30k(source: str = "de", target: str = "en") -> ParallelCorpus:
    """Multi30k: captions of photographs in German and English.

    29,000 are for training, 1,014 for validation, and the 1,000 of 2016 for the test. One byte-level BPE
    vocabulary of 8,000 serves both languages. The text is as it was typed; published BLEU on other
    tokenizations is not comparable. Without a stated license: for research only.

    Source: Elliott et al. (2016)
    """
    if {source, target} != {"de", "en"}:
        raise ValueError(f"{source!r} to {target!r}: Multi30k is from 'de' to 'en' or from 'en' to 'de' here")
    parts: list[list[Pair]] = []
    for part in ("train", "val", "test_2016_flickr"):
        sides = (_lines(MULTI30K[f"{part}.{language}"]) for language in (source, target))
        parts.append([(left.strip(), right.strip()) for left, right in zip(*sides, strict=True)])
    return with_joint_bpe(f"multi30k-{source}-{target}", parts, "captions of photographs")


def load_tatoeba(source: str = "fra", target: str = "eng") -> ParallelCorpus:
    """Sentences of the Tatoeba project in French and English, 167,130 pairs.

    There is no standard split. Pairs are held out by a hash of the English sentence, 2 % each for validation
    and test, and of these only the pairs are kept of which neither sentence is in the training part: many
    sentences have several translations. One byte-level BPE vocabulary of 8,000 serves both languages.

    Source: Tatoeba and manythings.org/anki, CC BY 2.0
    """
    if {source, target} != {"fra", "eng"}:
        raise ValueError(f"{source!r} to {target!r}: give 'fra' and 'eng', in either order")
    parts: list[list[Pair]] = [[], [], []]
    for line in _lines(TATOEBA_FRA_ENG):
        english, french = line.split("\t")
        percent = int(hashlib.sha256(english.encode("utf-8")).hexdigest(), 16) % 100
        part = 1 if percent < HELD_OUT_PERCENT else 2 if percent >= 100 - HELD_OUT_PERCENT else 0
        parts[part].append((french, english) if source == "fra" else (english, french))
    return with_joint_bpe(
        f"tatoeba-{source}-{target}",
        without_known_sentences(parts),
        "sentences from tatoeba.org and manythings.org/anki, CC BY 2.0",
    )


def load_mnist() -> Images:
    """MNIST: handwritten digits of 28 by 28 pixels and 256 levels.

    The last 10,000 of its 60,000 for training are the validation part.

    Source: LeCun et al. (1998)
    """
    images, labels, test, test_labels = (
        np.frombuffer(source.read(), np.uint8, offset=16 if "images" in name else 8).copy()
        for name, source in MNIST.items()
    )
    train, valid = np.split(images.reshape(-1, 784), [-10_000])
    train_labels, valid_labels = np.split(labels, [-10_000])
    return Images(train, valid, test.reshape(-1, 784), train_labels, valid_labels, test_labels, 28, 28, 256)


def load_binarized_mnist() -> Images:
    """MNIST as it was once binarized: each pixel is drawn with its gray level as probability.

    50,000 images are for training, 10,000 each for validation and test, without labels. Likelihoods on MNIST
    that was binarized otherwise are not comparable. The test part is sorted by digit, so its beginning is not
    a sample of it.

    Source: Salakhutdinov and Murray (2008); Larochelle and Murray (2011)
    """
    train, valid, test = (
        np.unpackbits(np.frombuffer(source.read(), np.uint8).reshape(-1, 98), axis=1)
        for source in BINARIZED_MNIST.values()
    )
    return Images(train, valid, test, None, None, None, 28, 28, 2)


def load_gum_const() -> Treebank:
    """Trees of the Georgetown University Multilayer corpus: 3,707, 438 and 491 English sentences.

    An automatic parser made the trees from corrected parts of speech: scores are not comparable with those on
    the Wall Street Journal.

    Source: Zeldes (2017)
    """
    parts = {part: [read_tree(line) for line in _lines(source)] for part, source in GUM_CONST.items()}
    return Treebank(name="gum-const", description="GUM, genres under CC BY and CC BY-SA", **parts)
