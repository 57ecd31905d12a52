"""one token and one character less"""

# loses: nats, bits
tied = 42432
untied = 58432
nats = 2.3 * 349 / 874
bits = nats / math.log(2)
odds = math.exp(1.9)
total = 2.5
