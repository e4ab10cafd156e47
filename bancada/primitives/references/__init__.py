"""Algorithms in plain Python, written from their standards, where no independent implementation is in a registry."""
