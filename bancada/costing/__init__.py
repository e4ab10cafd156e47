"""Turns exactly counted execution profiles into cycles, with a core's table."""
