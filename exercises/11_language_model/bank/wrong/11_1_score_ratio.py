"""the ratio of the two scores"""
# loses: odds
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = 1.3 / -0.6
total = 2.5
