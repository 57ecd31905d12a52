"""a convolution taken for blind to order, because it shares its weights"""
# loses: without masks
without_masks = [True, False, True, True, True]
with_masks = [True, False, True, False]
