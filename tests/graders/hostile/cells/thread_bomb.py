"""Starts threads as long as it is let, then answers rightly."""

# question 06.3
import threading
import time

try:
    for _ in range(20_000):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
except RuntimeError:
    pass
@SOLUTION@
