"""Numerical tools that know nothing of privacy: searches, normal tails, quadrature, laws, hulls."""
