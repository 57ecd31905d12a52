"""the score of b added, not subtracted"""

# loses: odds
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(0.7)
total = 2.5
