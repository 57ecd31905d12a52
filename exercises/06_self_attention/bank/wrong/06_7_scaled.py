"""weights with the scale, which hardly change with the width"""
# loses: means, medians, certain, slope
means = [0.2146, 0.2163, 0.2175, 0.2170]
medians = [0.2182, 0.2202, 0.2221, 0.2217]
slope = 0.001
certain = 0.0
