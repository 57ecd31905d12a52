"""the mean of all objects taken for not equivariant"""
# loses: without masks
without_masks = [True, False, True, False, False]
with_masks = [True, False, True, False]
