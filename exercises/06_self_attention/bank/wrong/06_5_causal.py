"""the causal mask taken for harmless"""
# loses: with masks
without_masks = [True, False, True, True, False]
with_masks = [True, True, True, False]
