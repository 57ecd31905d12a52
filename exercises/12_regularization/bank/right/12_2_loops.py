"""Target by target."""


def smoothed_loss(logits, targets, epsilon, ignored):
    vocab, costs = logits.shape[-1], []
    for row, row_targets in zip(logits, targets.tolist()):
        for scores, y in zip(row, row_targets):
            if y == ignored:
                continue
            log_p = scores - scores.max() - (scores - scores.max()).exp().sum().log()
            costs.append(-(1 - epsilon) * log_p[y] - epsilon / vocab * log_p.sum())
    return torch.stack(costs).mean() if costs else 0 * logits.sum()
