"""a report of losses on the training images"""
# loses: losses
independent, regression, nade = 25.05, 17.25, 16.2
gain, bits, wins = 1.05, 0.3652, 0.6275
