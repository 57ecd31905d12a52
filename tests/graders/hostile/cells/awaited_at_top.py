"""Awaits at the top level, which notebooks allow."""

# 06.3: crashed

# question 06.3
import asyncio

await asyncio.sleep(0)
@SOLUTION@
