"""bits per token"""
# loses: bits
tied = 42432
untied = 58432
nats = 0.92
bits = 2.3 / math.log(2)
odds = math.exp(1.9)
total = 2.5
