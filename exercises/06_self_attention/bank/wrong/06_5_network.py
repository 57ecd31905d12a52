"""a position-wise network taken for something that depends on the position"""
# loses: without masks
without_masks = [True, False, False, True, False]
with_masks = [True, False, True, False]
