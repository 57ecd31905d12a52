"""Sleeps in a cell, using no processor time."""

# 06.3: timeout

# question 06.3
import time

time.sleep(10**6)
