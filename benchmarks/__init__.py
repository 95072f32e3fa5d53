"""Benchmarks of dplens against the functions it is built on and against its peers. Run with `make bench`."""
