"""From a student's cells to points and words."""
