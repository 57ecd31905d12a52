"""An endless loop on one kind of input; the other parts are answered rightly."""

# 06.1: timeout, keeps weights, values, large scores, mask

# question 06.1
@SOLUTION@


honest = attention


def attention(query, key, value, allowed=None):
    while allowed is not None and not allowed.any(2).all():
        pass
    return honest(query, key, value, allowed)
