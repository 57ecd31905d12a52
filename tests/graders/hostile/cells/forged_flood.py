"""Sends well-formed messages without end, so that the grader never has nothing to read."""

# 06.3: timeout

# question 06.3
import json
import os
import struct

text = json.dumps({"kind": "forbidden", "name": "torch.nn.functional.softmax", "arrays": []}).encode()
talk = (struct.pack("<I", len(text)) + text) * 500
while True:
    for fd in range(3, 64):
        try:
            os.write(fd, talk)
        except OSError:
            pass
