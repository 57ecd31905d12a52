"""Rounded to three decimals."""
losses = [4.638, 1.998, 1.498, 1.401, 1.405]
source = 0.900
gained = [2.639, 0.500, 0.097, -0.004]
excess = 0.501
