"""Sends one array of 60 MB and refers to it forty thousand times."""

# 06.6: crashed

# question 06.6
import json
import os
import struct

@SOLUTION@
text = json.dumps({"kind": "cells", "error": None, "forbidden": [], "arrays": []}).encode()
talk = struct.pack("<I", len(text)) + text
value = {"$": "dict", "v": [["row sums", [{"$": "array", "i": 0}] * 40_000]]}
case = {"kind": "case", "part": 0, "case": 0, "error": None, "changed": [], "forbidden": [], "value": value}
text = json.dumps({**case, "arrays": [{"dtype": "|i1", "shape": [60_000_000]}]}).encode()
talk += struct.pack("<I", len(text)) + text + bytes(60_000_000)
for fd in range(3, 64):
    rest = memoryview(talk)
    try:
        while rest:
            rest = rest[os.write(fd, rest) :]
    except OSError:
        pass
os._exit(0)
