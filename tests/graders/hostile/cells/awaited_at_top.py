"""Awaits at the top level, which notebooks allow."""

# question 06.3
import asyncio

await asyncio.sleep(0)
@SOLUTION@
