"""Recipes: whole experiments, from the data to the record, the same on a CPU and a GPU."""
