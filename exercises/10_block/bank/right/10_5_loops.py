"""Position by position."""
def layer_norm_backward(z, gain, upstream, eps=1e-5):
    for_gain, for_bias = torch.zeros_like(gain), torch.zeros_like(gain)
    for_z = torch.zeros_like(z)
    for n in range(z.shape[0]):
        for t in range(z.shape[1]):
            centered = z[n, t] - z[n, t].mean()
            root = math.sqrt((centered @ centered).item() / len(centered) + eps)
            z_hat, h = centered / root, gain * upstream[n, t]
            for_gain = for_gain + upstream[n, t] * z_hat
            for_bias = for_bias + upstream[n, t]
            for_z[n, t] = (h - h.mean() - z_hat * (h * z_hat).mean()) / root
    return for_z, for_gain, for_bias
