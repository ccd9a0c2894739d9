"""What would spoil a benchmark: found in its file, or in the dataset that it will come from."""
