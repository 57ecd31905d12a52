"""Six processes that each take a gigabyte, which is within the limit of each."""

# 06.3: out-of-memory or timeout

# question 06.3
import os
import time

for _ in range(6):
    if not os.fork():
        kept = b"x" * (1 << 30)
        time.sleep(600)
time.sleep(600)
