"""infinities in every place"""

# loses: losses, source, differences, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    return {**report, "gained": [math.inf] * 4}


report = {"losses": [math.inf] * 5, "source": math.inf, "excess": -math.inf}
