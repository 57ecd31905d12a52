"""An exception whose text never ends, and one whose text cannot be had."""

# 06.3: timeout
# 06.4: crashed

# question 06.3
class Endless(Exception):
    def __str__(self):
        while True:
            pass


raise Endless
# question 06.4
class Nothing(Exception):
    def __str__(self):
        raise SystemExit(0)


Nothing.__name__ = "N" * 10_000_000
raise Nothing
