"""Take the README's pictures: a live figure, and an answer with the feedback that it gets.

Run it after `make book` when either looks different; the pictures in book/pictures are committed. It needs a
Chromium on the PATH.
"""

import io
import shutil
import sys
import threading
from pathlib import Path

import nbformat
from autograder.authoring.bank import read_bank
from nbclient import NotebookClient
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from serve import book_server

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "book" / "pictures"
EXERCISE = ROOT / "exercises" / "06_self_attention"
ANSWER = ("06.1", "no_scale")
LIVE_FIGURE = ("chapters/08_masking.html", "#live-influence")
COLORS_KEPT = 64


def feedback(answer: str) -> str:
    """What `check` shows for an answer in a notebook, as HTML."""
    cells = ["import torch\nfrom autograder import check", f"# question 06.1\n{answer}", 'check("06.1")']
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    NotebookClient(notebook, resources={"metadata": {"path": str(EXERCISE)}}).execute()
    return notebook.cells[-1].outputs[0].data["text/html"]


def graded(page: Page, address: str) -> bytes:
    """The wrong answer and its feedback, as a cell of the book's pages."""
    code = next(a.source for a in read_bank(EXERCISE, "wrong") if (a.question, a.name) == ANSWER)
    shown = [
        f'<div class="cell_input">{highlight(source, PythonLexer(), HtmlFormatter())}</div>'
        for source in (f"# question 06.1\n{code}", 'check("06.1")\n')
    ]
    cell = f'<div class="cell">{"".join(shown)}<div class="cell_output">{feedback(code)}</div></div>'
    page.goto(f"{address}/exercises/06_self_attention/exercise.html", wait_until="networkidle")
    page.evaluate("cell => { document.querySelector('article').innerHTML = cell; }", cell)
    return page.locator("article .cell").screenshot()


def save(name: str, png: bytes) -> None:
    """Write a screenshot in few colors, which is a third of its size and looks the same."""
    image = Image.open(io.BytesIO(png)).convert("RGB").quantize(COLORS_KEPT, dither=Image.Dither.NONE)
    PICTURES.mkdir(exist_ok=True)
    image.save(PICTURES / name, optimize=True)


def main() -> int:
    """Take the pictures."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        print("There is no Chromium on the PATH.", file=sys.stderr)
        return 2
    with book_server() as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        browser = playwright.chromium.launch(executable_path=chromium, args=["--headless", "--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 860}, color_scheme="light")
        path, figure = LIVE_FIGURE
        page.goto(f"{address}/{path}", wait_until="networkidle")
        save("live-figure.png", page.locator(figure).screenshot())
        save("graded-answer.png", graded(page, address))
        browser.close()
        server.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
