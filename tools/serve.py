"""Serve the built book on localhost and open it in the reader's browser."""

import functools
import http.server
import sys
import webbrowser
from pathlib import Path

HTML = Path(__file__).resolve().parent.parent / "_build" / "html"


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a line per request."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def book_server() -> http.server.ThreadingHTTPServer:
    """A server of the built book on 127.0.0.1, on any free port."""
    handler = functools.partial(QuietHandler, directory=str(HTML))
    return http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)


def main() -> int:
    """Serve until Ctrl-C."""
    if not (HTML / "index.html").is_file():
        print("There is no built book: run `make book` first.", file=sys.stderr)
        return 2
    with book_server() as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        print(f"The book is at {address} (stop with Ctrl-C)")
        webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
