"""The numbers of another seed."""
independent, regression, nade = 25.2174, 18.5394, 17.9243
gain, bits, wins = 0.6151, 0.40405, 0.6275
