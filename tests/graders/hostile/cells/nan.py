"""NaN and infinity in every place."""

# 06.1: ok
# 06.3: ok
# 06.7: ok

# question 06.1
def attention(query, key, value, allowed=None):
    return query @ key.mT @ value * torch.nan
# question 06.3
variance = scale = shifted = own_mean = own_variance = math.nan
# question 06.7
report = dict(seed=0, means=[math.nan, math.inf, -math.inf, math.nan], slope=math.nan, certain=-math.inf)
report["medians"] = report["means"]


def measure(widths, weights):
    return report
