"""Allocates memory without end."""

# 06.3: out-of-memory or timeout

# question 06.3
kept = []
while True:
    kept.append(bytearray(1 << 26))
