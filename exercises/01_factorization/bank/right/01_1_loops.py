"""Loops over rows and tokens, with logsumexp."""
def sequence_log_prob(logits, tokens, lengths):
    totals = []
    for scores, row, length in zip(logits, tokens, lengths.tolist()):
        total = scores.new_zeros(())
        for t in range(length):
            total = total + scores[t, row[t]] - torch.logsumexp(scores[t], dim=0)
        totals.append(total)
    return torch.stack(totals)
