"""What a benchmark is made of, in numbers."""
