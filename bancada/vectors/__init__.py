"""Official test vectors and independent implementations, one module for each primitive."""
