"""a softmax over queries taken for something that sees order"""
# loses: without masks
without_masks = [False, False, True, True, False]
with_masks = [True, False, True, False]
