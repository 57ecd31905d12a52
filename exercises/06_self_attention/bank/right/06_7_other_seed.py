"""Another seed, and the slope computed in the cell."""
means = [0.1490, 0.0837, 0.0442, 0.0216]
medians = [0.1726, 0.0328, 1.30e-3, 7.6e-7]
slope = math.log(means[3] / means[1]) / math.log(1024 / 64)
certain = 0.8118
