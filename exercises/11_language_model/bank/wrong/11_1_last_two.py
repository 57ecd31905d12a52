"""a sum in the denominator that begins behind m"""

# loses: total
tied = 42432
untied = 58432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 10 / 6
