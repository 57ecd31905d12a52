"""every mask taken for a breach of symmetry"""
# loses: with masks
without_masks = [True, False, True, True, False]
with_masks = [False, False, False, False]
