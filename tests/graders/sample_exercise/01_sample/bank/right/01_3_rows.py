"""Row by row."""


def masked_mean(values, keep):
    return torch.stack([row[kept].mean() for row, kept in zip(values, keep)])
