"""the odds as a share of the two tokens"""

# loses: odds
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = 1 / (1 + math.exp(-1.9))
total = 2.5
