"""the change of ln(mean) from 64 to 1024, not divided by that of ln(width)"""
# loses: slope
means = [0.1479, 0.0830, 0.0427, 0.0216]
medians = [0.1723, 0.0379, 8.85e-4, 1.19e-6]
slope = math.log(0.0216 / 0.0830)
certain = 0.8085
