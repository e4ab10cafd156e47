"""The sensor link from the command line: builds the programs of `link/`, runs them, and simulates sensors and
gateway.
"""
