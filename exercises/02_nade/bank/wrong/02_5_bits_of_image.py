"""bits for the whole image instead of bits for each pixel"""
# loses: consistency
independent, regression, nade = 25.2174, 18.5394, 18.0731
gain, bits, wins = 0.4663, 26.074, 0.6275
