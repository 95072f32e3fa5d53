"""The five papers behind dplens, done again from the public names alone, and where they err."""
