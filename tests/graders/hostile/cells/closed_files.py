"""Closes every open file behind a right answer."""

# 06.3: crashed

# question 06.3
import os

@SOLUTION@
os.closerange(0, 256)
