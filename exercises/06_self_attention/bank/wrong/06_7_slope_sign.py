"""the slope with the wrong sign"""
# loses: slope
means = [0.1479, 0.0830, 0.0427, 0.0216]
medians = [0.1723, 0.0379, 8.85e-4, 1.19e-6]
slope = 0.486
certain = 0.8085
