"""Gain and bits computed from the losses."""
independent = 25.217
regression = 18.539
nade = 18.048
gain = regression - nade
bits = nade / 64 / math.log(2)
wins = 244 / 400
