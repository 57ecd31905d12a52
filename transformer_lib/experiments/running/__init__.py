"""What runs an experiment, at its seeds and under its conditions, and reads the record that it leaves."""
