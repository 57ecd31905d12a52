"""Right answers to question 01.3."""


# %% rows: Row by row.
def masked_mean(values, keep):
    return torch.stack([row[kept].mean() for row, kept in zip(values, keep)])


# %% where: NaN for what is left out, then nanmean.
def masked_mean(values, keep):
    return torch.where(keep, values, torch.nan).nanmean(dim=-1)
