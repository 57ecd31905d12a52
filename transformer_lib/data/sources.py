"""Files of real corpora: found in a folder or downloaded, unpacked, and checked before anyone reads them.

The checksums are of what a file holds once it is unpacked, so that a copy serves however it is packed:
``train.txt``, ``train.txt.gz`` and ``train.txt.xz`` are the same file here.
"""

import gzip
import hashlib
import io
import lzma
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FOLDER_VARIABLE = "TRANSFORMER_DATA"
UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.decompress,
    ".xz": lzma.decompress,
}
DAMAGE = (OSError, EOFError, ValueError, KeyError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)


def npy_rows(data: bytes) -> bytes:
    """The bytes of the array in an .npy file, without its header, which differs between versions."""
    return np.lib.format.read_array(io.BytesIO(data), allow_pickle=False).tobytes()


def same(data: bytes) -> bytes:
    """The bytes as they are."""
    return data


@dataclass(frozen=True)
class Source:
    """A file and what it must hold.

    Attributes
    ----------
    path
        Its place in the data folder, without the ending of a packer, such as ``wikitext-2/train.txt``.
    sha256
        Of its content: what `content` makes of the unpacked bytes.
    url
        Where it can be downloaded, if anywhere.
    convert
        What makes the unpacked file of the downloaded bytes.
    content
        What is checked, and what `read` returns.
    """

    path: str
    sha256: str
    url: str | None = None
    convert: Callable[[bytes], bytes] = same
    content: Callable[[bytes], bytes] = same

    def read(self) -> bytes:
        """The checked content.

        It comes from the folder in ``TRANSFORMER_DATA`` if that is set, else from the cache of earlier
        downloads, else from a download.

        Raises
        ------
        ValueError
            If the file is missing, cannot be had, is damaged, or holds something else.
        ModuleNotFoundError
            If a download is needed and the package `pooch` or `tqdm` is not installed.
        """
        folder = os.environ.get(FOLDER_VARIABLE)
        if folder:
            found = self._find(Path(folder))
            if found is None:
                raise ValueError(
                    f"{Path(folder, self.path)} is missing, also as .gz and .xz: put it there (SHA-256 of "
                    f"its unpacked content: {self.sha256}), or unset {FOLDER_VARIABLE} to have it downloaded"
                )
            return self._checked(found, f"replace it, or unset {FOLDER_VARIABLE} to have it downloaded")
        found = self._find(cache_folder())
        if found is None:
            found = self._download(cache_folder() / self.path)
        return self._checked(found, "delete it, and it is downloaded again")

    def _find(self, folder: Path) -> Path | None:
        paths = [folder / (self.path + ending) for ending in UNPACK]
        return next((path for path in paths if path.exists()), None)

    def _checked(self, path: Path, remedy: str) -> bytes:
        ending = path.suffix if path.suffix in UNPACK else ""
        try:
            content = self.content(UNPACK[ending](path.read_bytes()))
        except DAMAGE as error:
            raise ValueError(
                f"{path} cannot be read ({error}); the SHA-256 of its unpacked content should be "
                f"{self.sha256}: {remedy}"
            ) from error
        found = hashlib.sha256(content).hexdigest()
        if found != self.sha256:
            raise ValueError(
                f"{path} is truncated or altered: the SHA-256 of its unpacked content is {found} and should "
                f"be {self.sha256}: {remedy}"
            )
        return content

    def _download(self, target: Path) -> Path:
        """Fetch to a temporary name, convert, check, and only then give the file its name in the cache."""
        by_hand = (
            f"get the file elsewhere and set {FOLDER_VARIABLE} to a folder with {self.path}, plain, "
            f".gz or .xz (SHA-256 of its unpacked content: {self.sha256})"
        )
        if self.url is None:
            raise ValueError(f"{self.path} has no address to be downloaded from: {by_hand}")
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix="unfinished-") as folder:
            fetched, converted = Path(folder, "fetched"), Path(folder, "converted")
            try:
                fetch(self.url, fetched)
                converted.write_bytes(self.convert(fetched.read_bytes()))
            except DAMAGE as error:
                raise ValueError(
                    f"{self.path} could not be downloaded from {self.url} ({error}): try again, or {by_hand}"
                ) from error
            try:
                self._checked(converted, by_hand)
            except ValueError as error:
                raise ValueError(f"{self.path} as downloaded from {self.url} is no good: {error}") from error
            converted.replace(target)
        return target


def cache_folder() -> Path:
    """Where downloads are kept: the user's cache, as the operating system has it."""
    import pooch

    return Path(pooch.os_cache("transformer_lib"))


def fetch(url: str, path: Path) -> None:
    """Download with a progress bar."""
    import pooch
    import requests

    try:
        pooch.HTTPDownloader(progressbar=True)(url, str(path), None)
    except requests.HTTPError as error:
        if error.response is not None:
            error.response.close()
        raise
