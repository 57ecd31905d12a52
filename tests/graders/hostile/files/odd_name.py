"""A solved notebook whose name is a formula, markup, a path and terminal codes."""


def write(folder, solved):
    (folder / "=HYPERLINK('x')\n<script>alert(1)<\\script>\x1b[2J\udcff,\"'.ipynb").write_text(solved)
