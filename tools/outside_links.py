"""Ask for every address outside the book that its built pages name (`make links`), and list what is gone.

An address is gone if its server says so (404, 410) or has no name any more. A server that refuses programs,
asks for patience, or does not answer in time is listed apart: that says nothing about its page.
"""

import sys
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

from built_pages import HTML
from lxml import html

WAIT, AT_ONCE = 20, 8
GONE = (404, 410)
# Names that stand for a reader's own machine or for nobody's.
NOBODYS = ("localhost", "127.0.0.1", "example.org", "example.com")
AGENT = {"User-Agent": "Mozilla/5.0 (link check of an open book)", "Accept": "*/*"}


def outside(pages: Iterable[Path]) -> dict[str, list[str]]:
    """The addresses that pages link to, and on which pages."""
    found: dict[str, list[str]] = defaultdict(list)
    for page in pages:
        for link in html.parse(str(page)).xpath("//a[@href]"):
            address = urldefrag(link.get("href"))[0]
            host = urlsplit(address).hostname
            if address.startswith(("http://", "https://")) and host not in NOBODYS:
                found[address].append(page.name)
    return dict(found)


def verdict(address: str) -> str:
    """What its server says of an address: 'there', 'gone (404)', or why nobody knows."""
    try:
        request = urllib.request.Request(address, headers=AGENT)
        with urllib.request.urlopen(request, timeout=WAIT):
            return "there"
    except urllib.error.HTTPError as error:
        return f"{'gone' if error.code in GONE else 'unknown'} ({error.code})"
    except urllib.error.URLError as error:
        unnamed = "Name or service not known" in str(error.reason)
        return f"{'gone' if unnamed else 'unknown'} ({error.reason})"
    except (OSError, ValueError) as error:
        return f"unknown ({error})"


def main() -> int:
    """Ask for all, and fail if some are gone."""
    pages = [page for page in sorted(HTML.rglob("*.html")) if "_static" not in page.parts]
    if not pages:
        sys.exit("there is no built book: run `make book` first")
    named = outside(pages)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        said = dict(zip(named, pool.map(verdict, named)))
    for address, answer in sorted(said.items(), key=lambda pair: (pair[1], pair[0])):
        if answer != "there":
            print(f"{answer}: {address}, on {', '.join(sorted(set(named[address]))[:3])}")
    gone = sum(answer.startswith("gone") for answer in said.values())
    print(f"{len(said)} addresses, {sum(answer == 'there' for answer in said.values())} there, {gone} gone")
    return int(gone > 0)


if __name__ == "__main__":
    sys.exit(main())
