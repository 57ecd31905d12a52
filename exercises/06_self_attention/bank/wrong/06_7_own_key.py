"""alpha (1 - alpha) of the first key instead of the largest"""
# loses: means, medians, slope
means = [0.0425, 0.0225, 0.0106, 0.00442]
medians = [3.76e-3, 2.21e-5, 2.04e-10, 3.75e-20]
slope = -0.587
certain = 0.8085
