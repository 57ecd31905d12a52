"""the fraction of images on which the regressions are better"""
# loses: wins
independent, regression, nade = 25.2174, 18.5394, 18.0731
gain, bits, wins = 0.4663, 0.4074, 0.3725
