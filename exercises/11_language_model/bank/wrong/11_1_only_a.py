"""the exponential of the score of a alone"""
# loses: odds
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.3)
total = 2.5
