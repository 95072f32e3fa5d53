"""Trade-off curves: the least false-negative rate at every false-positive rate."""
