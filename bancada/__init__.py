"""Bancada: a laboratory for cryptography on constrained devices."""

__version__ = "1.0.0"
