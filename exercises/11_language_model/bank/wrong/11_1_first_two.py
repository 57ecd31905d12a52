"""4/10: the sum to m over the sum of all"""
# loses: total
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 0.4
