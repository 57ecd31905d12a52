"""Position by position."""
def layer_norm(z, gain, bias, eps=1e-5):
    rows = []
    for sequence in z:
        for row in sequence:
            deviations = row - row.sum() / len(row)
            variance = (deviations**2).sum() / len(row)
            rows.append(gain * (deviations / torch.sqrt(variance + eps)) + bias)
    return torch.stack(rows).reshape(z.shape)
