"""A process that outlives the question writes false answers into the next ones."""

# question 06.3
import json
import os
import struct
import time


def message(**header):
    text = json.dumps({**header, "arrays": []}).encode()
    return struct.pack("<I", len(text)) + text


if not os.fork():
    os.setsid()
    if os.fork():
        os._exit(0)
    wrong = {"kind": "case", "error": None, "changed": [], "forbidden": [], "value": {"$": "dict", "v": []}}
    talk = message(kind="cells", error=None, forbidden=[]) + message(**wrong, part=0, case=0)
    for _ in range(600):
        time.sleep(0.1)
        for fd in range(3, 64):
            try:
                os.write(fd, talk)
            except OSError:
                pass
    os._exit(0)
@SOLUTION@
