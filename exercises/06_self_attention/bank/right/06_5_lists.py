"""Two lists."""
without_masks = [True, False, True, True, False]
with_masks = [True, False, True, False]
