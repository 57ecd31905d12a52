"""A solved notebook ten archives deep."""

# all: unreadable

import io
import zipfile


def write(folder, solved):
    name, content = "homework.ipynb", solved.encode()
    for _ in range(10):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr(name, content)
        name, content = "homework.zip", stream.getvalue()
    (folder / name).write_bytes(content)
