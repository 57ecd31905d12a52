"""a window taken for harmless, because it looks the same everywhere"""
# loses: with masks
without_masks = [True, False, True, True, False]
with_masks = [True, False, True, True]
