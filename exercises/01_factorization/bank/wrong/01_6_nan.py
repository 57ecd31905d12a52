"""NaN in every place"""

# loses: losses, source, differences, reported losses, reported source
def measure(fit, train, test, story_log_probs):
    return {**report, "gained": [math.nan] * 4}


report = {"losses": [math.nan] * 5, "source": math.nan, "excess": math.nan}
