"""Replies with JSON that is nested two million levels deep."""

# 06.3: crashed

# question 06.3
import os
import struct

text = b"[" * 2_000_000
for fd in range(3, 64):
    rest = memoryview(struct.pack("<I", len(text)) + text)
    try:
        while rest:
            rest = rest[os.write(fd, rest) :]
    except OSError:
        pass
@SOLUTION@
