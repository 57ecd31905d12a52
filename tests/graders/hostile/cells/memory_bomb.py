"""Allocates memory without end."""

# 06.3: out-of-memory

# question 06.3
kept = []
while True:
    kept.append(bytes(1 << 26))
