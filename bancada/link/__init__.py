"""The sensor link from the command line: builds the programs of `link/` and runs them."""
