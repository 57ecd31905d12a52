"""A solved notebook with the mark that Windows editors put before UTF-8."""


def write(folder, solved):
    (folder / "homework.ipynb").write_text(solved, encoding="utf-8-sig")
