"""Gives lists of fifty thousand numbers, and a list that holds itself."""

# 06.3: ok
# 06.5: ok

# question 06.3
variance = scale = shifted = own_mean = own_variance = [96.0] * 49_000
# question 06.5
without_masks = []
without_masks.append(without_masks)
with_masks = without_masks
