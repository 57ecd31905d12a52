"""What is made of an exercise and handed out: notebooks, fixtures, kits, adapters for other graders."""
