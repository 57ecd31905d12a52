"""a mask by content taken for one by place"""
# loses: with masks
without_masks = [True, False, True, True, False]
with_masks = [False, False, True, False]
