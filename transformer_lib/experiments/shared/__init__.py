"""What experiments of several chapters share: the stories, and training on text by a recipe."""
