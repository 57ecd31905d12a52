"""Fills every folder that it may write to, up to 40 GB, then answers rightly."""

# question 06.3
import os

for folder in (".", "/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~")):
    try:
        with open(os.path.join(folder, "full"), "wb") as file:
            for _ in range(10_000):
                file.write(bytes(1 << 20))
        raise SystemError("ESCAPED: wrote 10 GB")
    except OSError:
        pass
@SOLUTION@
