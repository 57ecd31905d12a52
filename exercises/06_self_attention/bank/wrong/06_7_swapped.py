"""means and medians exchanged"""
# loses: means, medians, slope
means = [0.1723, 0.0379, 8.85e-4, 1.19e-6]
medians = [0.1479, 0.0830, 0.0427, 0.0216]
slope = -0.486
certain = 0.8085
