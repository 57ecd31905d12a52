"""Numbers."""
tied = 42432
untied = 58432
nats = 0.92
bits = 1.3272794
odds = 6.6858944
total = 2.5
