"""NaN for what is left out, then nanmean."""


def masked_mean(values, keep):
    return torch.where(keep, values, torch.nan).nanmean(dim=-1)
