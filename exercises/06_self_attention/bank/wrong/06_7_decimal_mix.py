"""a natural logarithm over a decimal one"""
# loses: slope
means = [0.1479, 0.0830, 0.0427, 0.0216]
medians = [0.1723, 0.0379, 8.85e-4, 1.19e-6]
slope = math.log(0.0216 / 0.0830) / math.log10(16)
certain = 0.8085
