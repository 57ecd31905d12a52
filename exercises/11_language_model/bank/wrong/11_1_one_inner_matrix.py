"""networks of one matrix"""

# loses: tied, untied
tied = 34240
untied = 50240
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5
