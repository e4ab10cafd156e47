"""What executes firmware: one module for each engine. `simavr` is the only one that the targets of this release name."""
