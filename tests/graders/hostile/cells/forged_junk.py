"""Writes bytes that are no message to every open file."""

# 06.3: crashed

# question 06.3
import os

for fd in range(3, 64):
    try:
        os.write(fd, b"\xff" * 4096)
    except OSError:
        pass
@SOLUTION@
