"""Stops the clocks, then loops."""

# 06.3: timeout

# question 06.3
import time

time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0.0
time.sleep = lambda seconds: None
while time.time() < 1:
    pass
