"""An answer that has to be awaited."""

# 06.1: crashed
# 06.2: crashed
# 06.8: crashed, keeps log totals, merge, extremes

# question 06.1
@SOLUTION@


honest = attention


async def attention(query, key, value, allowed=None):
    return honest(query, key, value, allowed)
