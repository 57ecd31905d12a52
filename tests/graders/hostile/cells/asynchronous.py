"""An answer that has to be awaited."""

# 06.1: ok

# question 06.1
@SOLUTION@


honest = attention


async def attention(query, key, value, allowed=None):
    return honest(query, key, value, allowed)
