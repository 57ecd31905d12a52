"""Half surrogates, which no file can hold, in a string, a message, a print and a name."""

# 06.3: ok
# 06.4: crashed
# 06.5: ok

# question 06.3
variance = scale = shifted = own_mean = own_variance = "\ud800"
# question 06.4
raise type("\udcff", (ValueError,), {})("\ud800 \udfff")
# question 06.5
without_masks, with_masks = {"\ud800": 1}, ["\udfff"] * 4
