"""an answer from NumPy: no gradient flows back to the logits"""
# loses: gradients
def sequence_log_prob(logits, tokens, lengths):
    scores = logits.detach().numpy().astype(np.float64)
    log_probs = scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True)
    picked = np.take_along_axis(log_probs, tokens.numpy()[:, :, None], axis=-1)[..., 0]
    outside = np.arange(picked.shape[1]) >= lengths.numpy()[:, None]
    return torch.from_numpy(np.ma.masked_array(picked, outside).sum(axis=1).filled(0.0))
