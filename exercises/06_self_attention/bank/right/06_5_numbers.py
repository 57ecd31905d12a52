"""Zeros and ones, in a tensor and a tuple."""
without_masks = torch.tensor([1, 0, 1, 1, 0], dtype=torch.uint8)
with_masks = (np.bool_(1), 0.0, 1, False)
