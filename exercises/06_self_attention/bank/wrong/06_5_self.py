"""a mask on the diagonal taken for a breach of symmetry"""
# loses: with masks
without_masks = [True, False, True, True, False]
with_masks = [True, False, False, False]
