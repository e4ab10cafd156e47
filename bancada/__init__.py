"""Bancada: a laboratory for cryptography on constrained devices."""

__version__ = "0.1.0"
